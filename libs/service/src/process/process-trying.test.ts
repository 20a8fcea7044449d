import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { FakeClock } from '@lyceum/testkit';
import { pino } from 'pino';
import { NeedsOperator } from './needs-operator.ts';
import type { ProcessManager } from './process.ts';
import { type RunningProcess, runProcess } from './run-process.ts';

type Command = { readonly say: string };

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Says what it is asked to say. */
const saying = (say: (what: string) => void): ProcessManager<null, never, Command> => ({
  name: 'saying',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate: ({ type, stream }) => (type === 'Asked' ? stream : undefined),
  react: (input) => (input.kind === 'event' ? { commands: [{ say: input.event.stream }] } : {}),
  async carryOut({ say: what }) {
    say(what);
    return {};
  },
});

describe('what a process cannot do', () => {
  const running: RunningProcess[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
  });

  /** Processes of one school. `fault`: what saying something throws; by default nothing. */
  const stage = () => {
    const clock = new FakeClock();
    const log = memoryEventLog({ lanes: 1 });
    const tried: string[] = [];
    const state: { fault: ((what: string) => Error | undefined) | undefined } = { fault: undefined };
    const say = (what: string) => {
      tried.push(what);
      const error = state.fault?.(what);
      if (error) throw error;
    };
    const start = async (documents = memoryDocuments()) => {
      const ports = { log, documents, clock, logger: pino({ level: 'silent' }) };
      const process = await runProcess(saying(say), ports, { service: 'shop', poll: hour, backoff: () => 1 });
      running.push(process);
      return process;
    };
    const ask = (what: string) =>
      log.append({
        tenant: 'school_1',
        expectations: [],
        events: [{ stream: what, type: 'Asked', schema: 1, data: {} }],
        fingerprint: '',
        commitId: uuidv5('asked', what),
        at: isoTime(clock.now()),
        meta: { actor: 'test' },
      });
    /** Everything that follows at this time. */
    const settled = async (process: RunningProcess) => {
      for (let before = -1, now = await log.head(0); before !== now; now = await log.head(0)) {
        before = now;
        await process.caughtUp();
      }
    };
    const later = async (process: RunningProcess, milliseconds: number) => {
      clock.advance(milliseconds);
      await process.fireDue();
      await settled(process);
    };
    return { clock, log, tried, state, start, ask, settled, later };
  };
  const down = () => new Error('down');

  test('for a moment is done at once, and nothing is written of it', async () => {
    const { tried, state, start, ask, settled, log } = stage();
    let failures = 2;
    state.fault = () => ((failures -= 1) >= 0 ? down() : undefined);
    const process = await start();
    await ask('hello');
    await settled(process);
    expect(tried).toHaveLength(3);
    // What was asked, and what the process took and issued.
    expect(await log.head(0)).toBe(2);
  });

  test('for minutes is done when it can be, without an operator, who is not told', async () => {
    const { tried, state, start, ask, settled, later } = stage();
    state.fault = down;
    const process = await start();
    await ask('hello');
    await settled(process);
    expect(tried).toHaveLength(3);
    await later(process, second);
    await later(process, 2 * second);
    expect(tried).toHaveLength(5);
    expect(await process.stuck()).toEqual([]);
    state.fault = undefined;
    await later(process, 4 * second);
    expect(tried).toHaveLength(6);
    await later(process, 2 * hour);
    expect(tried).toHaveLength(6);
    expect(await process.stuck()).toEqual([]);
  });

  test('for a quarter of an hour is shown to operators, with the time since when, and goes on by itself', async () => {
    const { tried, state, start, ask, settled, later } = stage();
    state.fault = down;
    const process = await start();
    await ask('hello');
    await settled(process);
    for (let pause = second; pause <= 16 * minute; pause *= 2) await later(process, pause);
    expect(await process.stuck()).toEqual([
      { tenant: 'school_1', correlation: 'hello', error: 'Error: down', since: '2026-01-05T08:00:00.000Z' },
    ]);
    state.fault = undefined;
    const before = tried.length;
    await later(process, hour);
    expect(tried).toHaveLength(before + 1);
    expect(await process.stuck()).toEqual([]);
  });

  test('for a day is stuck: nothing is tried any more until an operator resumes it, with all of its time again', async () => {
    const { tried, state, start, ask, settled, later } = stage();
    state.fault = down;
    const process = await start();
    await ask('hello');
    await settled(process);
    for (let pause = second; pause < hour; pause *= 2) await later(process, pause);
    for (let hours = 0; hours < 25; hours += 1) await later(process, hour);
    const tries = tried.length;
    expect(tries).toBeLessThan(50);
    for (let hours = 0; hours < 5; hours += 1) await later(process, hour);
    expect(tried).toHaveLength(tries);
    expect(await process.stuck()).toHaveLength(1);
    await process.resume('school_1', 'hello');
    await settled(process);
    expect(tried).toHaveLength(tries + 1);
    expect(await process.stuck()).toEqual([]);
    state.fault = undefined;
    await later(process, second);
    expect(tried).toHaveLength(tries + 2);
    await later(process, 48 * hour);
    expect(tried).toHaveLength(tries + 2);
  });

  test('is tried at once when an operator resumes it while it waits, and not once more by its timer', async () => {
    const { tried, state, start, ask, settled, later } = stage();
    state.fault = down;
    const process = await start();
    await ask('hello');
    await settled(process);
    state.fault = undefined;
    await process.resume('school_1', 'hello');
    await settled(process);
    expect(tried).toHaveLength(4);
    await later(process, hour);
    expect(tried).toHaveLength(4);
  });

  test('is tried again after a restart, also when the index was lost', async () => {
    const { tried, state, start, ask, settled, later, clock } = stage();
    state.fault = down;
    const first = await start();
    await ask('hello');
    await settled(first);
    await first.close();
    state.fault = undefined;
    clock.advance(3 * 24 * hour);
    const next = await start(memoryDocuments());
    await settled(next);
    const before = tried.length;
    await later(next, 0);
    expect(tried.length).toBeGreaterThan(before);
    expect(await next.stuck()).toEqual([]);
  });

  test('is tried once by two processes that both find it due', async () => {
    const { tried, state, start, ask, settled, clock } = stage();
    state.fault = down;
    const documents = memoryDocuments();
    const process = await start(documents);
    await ask('hello');
    await settled(process);
    clock.advance(second);
    state.fault = undefined;
    await Promise.all([process.fireDue(), process.fireDue()]);
    await settled(process);
    expect(tried).toHaveLength(4);
  });

  test('keeps no turn of the school from what others do', async () => {
    const { tried, state, start, ask, settled, later } = stage();
    state.fault = (what) => (what.startsWith('dead') ? down() : undefined);
    const process = await start();
    for (let index = 0; index < 200; index += 1) await ask(`dead_${index}`);
    await settled(process);
    await ask('alive');
    await settled(process);
    expect(tried.filter((what) => what === 'alive')).toHaveLength(1);
    const before = tried.length;
    await later(process, second);
    expect(tried.length).toBe(before + 200);
  });

  test('until a person has looked into it is stuck at once, with the words alone', async () => {
    const { tried, state, start, ask, settled, later } = stage();
    state.fault = () => new NeedsOperator('the bank says no');
    const process = await start();
    await ask('hello');
    await settled(process);
    expect(tried).toHaveLength(1);
    expect(await process.stuck()).toMatchObject([{ correlation: 'hello', error: 'the bank says no' }]);
    await later(process, 2 * hour);
    expect(tried).toHaveLength(1);
    state.fault = undefined;
    await process.resume('school_1', 'hello');
    await settled(process);
    expect([tried.length, await process.stuck()]).toEqual([2, []]);
  });
});
