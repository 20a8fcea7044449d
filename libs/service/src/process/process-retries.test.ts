import { describe, expect, test } from '@jest/globals';
import { isoTime } from '@lyceum/kernel';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import { z } from 'zod';
import { type ProcessCommand, processDecider } from './process-decider.ts';
import { processEvents } from './process-events.ts';
import { type Failing, nextRetry } from './process-retries.ts';
import type { ProcessManager } from './process.ts';

const hour = 3_600_000;
const start = Date.parse('2026-01-05T08:00:00.000Z');
const after = (milliseconds: number): string => isoTime(start + milliseconds);

/** When a command is tried that always fails: milliseconds after the first failure. */
function triesOf(spread: number): readonly number[] {
  const all: number[] = [];
  let failing: Failing | undefined;
  for (let now = start, retry = nextRetry(undefined, isoTime(now), spread); retry;) {
    failing = { rounds: (failing?.rounds ?? 0) + 1, since: retry.since };
    now = Date.parse(retry.at);
    all.push(now - start);
    retry = nextRetry(failing, isoTime(now), spread);
  }
  return all;
}

describe('what fails is tried again', () => {
  test('after 1 s, 2 s, 4 s … 1 h, for a day', () => {
    const tries = triesOf(0);
    expect(tries.slice(0, 4)).toEqual([1_000, 3_000, 7_000, 15_000]);
    const pauses = tries.map((each, index) => each - (tries[index - 1] ?? 0));
    expect(pauses.slice(12).every((pause) => pause === hour)).toBe(true);
    expect(tries.at(-1)).toBeGreaterThanOrEqual(24 * hour);
    expect(tries.at(-1)).toBeLessThan(25 * hour);
    expect(tries.length).toBeLessThan(50);
  });

  test('each time up to a quarter earlier, never at once', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(60), (spread, rounds) => {
        const retry = nextRetry({ rounds, since: after(0) }, after(1), spread);
        const pause = Date.parse(retry!.at) - start - 1;
        const longest = Math.min(1_000 * 2 ** rounds, hour);
        return pause <= longest && pause >= longest * 0.75 && retry!.since === after(0);
      }),
    );
  });

  test('also when nothing ran for days: not the time alone ends it', () => {
    expect(nextRetry({ rounds: 3, since: after(0) }, after(72 * hour), 0)).toMatchObject({ since: after(0) });
    expect(nextRetry({ rounds: 12, since: after(0) }, after(72 * hour), 0)).toBeUndefined();
    expect(nextRetry({ rounds: 12, since: after(0) }, after(23 * hour), 0)).toBeDefined();
  });

  test('when the clock stepped back meanwhile, from the time that it has now', () => {
    expect(nextRetry({ rounds: 30, since: after(0) }, after(-5 * hour), 0)?.at).toBe(after(-4 * hour));
  });
});

type Ask = { readonly ask: string };
const asking: ProcessManager<null, never, Ask> = {
  name: 'asking',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate: () => undefined,
  react: () => ({}),
  carryOut: async () => ({}),
};
const decider = processDecider(asking);
const issued = { version: 1, index: 0 };
const asked = { type: 'CommandsIssued', data: { commands: [{ ask: 'why' }] } } as const;
const failed = (at: number, since = 0) => ({
  type: 'ProcessStuck' as const,
  data: { ...issued, error: 'Error: down', retry: { at: after(at), since: after(since) } },
});
const resumed = { type: 'ProcessResumed', data: issued } as const;
const { retry: _none, ...data } = failed(0).data;
const stuck = { type: 'ProcessStuck', data } as const;
const stick = (now: number, needsOperator = false): ProcessCommand => ({
  do: 'stick',
  issued,
  error: 'Error: down',
  needsOperator,
  spread: 0,
  now: after(now),
});
const retry = (version: number): ProcessCommand => ({ do: 'retry', issued, version });

describe('a command that fails', () => {
  test('waits for its time, then for longer', () => {
    given(decider, asked).when(stick(0)).then(failed(1_000));
    given(decider, asked, failed(1_000)).when(retry(2)).then(resumed);
    given(decider, asked, failed(1_000), resumed).when(stick(1_000)).then(failed(3_000));
  });

  test('for a day is stuck, and has all of its time again when it is resumed', () => {
    const rounds = Array.from({ length: 12 }, () => [failed(1_000), resumed]).flat();
    given(decider, asked, ...rounds)
      .when(stick(24 * hour))
      .then(stuck);
    given(decider, asked, ...rounds, stuck)
      .when({ do: 'resume' })
      .then(resumed);
    given(decider, asked, ...rounds, stuck, resumed)
      .when(stick(30 * hour))
      .then(failed(30 * hour + 1_000, 30 * hour));
  });

  test('that an operator has to look into is stuck at once', () => {
    given(decider, asked).when(stick(0, true)).then(stuck);
  });

  test('that waits is resumed by an operator, and its time does nothing then', () => {
    given(decider, asked, failed(1_000)).when({ do: 'resume' }).then(resumed);
    given(decider, asked, failed(1_000), resumed).when(retry(2)).unchanged();
    given(decider, asked, failed(1_000), resumed, failed(3_000)).when(retry(2)).unchanged();
    given(decider, asked, failed(1_000), resumed, failed(3_000)).when(retry(4)).then(resumed);
  });

  test('as the release before wrote it waits for an operator', () => {
    given(decider, asked, stuck).when({ do: 'resume' }).then(resumed);
    given(decider, asked, stuck, resumed).when({ do: 'resume' }).unchanged();
  });

  test('is read by the release before, which knows no retries', () => {
    // The schema that it has.
    const before = z.object({ version: z.int(), index: z.int(), error: z.string() });
    expect(before.parse(processEvents.ProcessStuck.data.parse(failed(1_000).data))).toEqual(data);
  });
});
