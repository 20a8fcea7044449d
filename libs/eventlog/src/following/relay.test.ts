import { describe, expect, test } from '@jest/globals';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { memoryEventLog } from '../memory/memory.ts';
import type { Commit, EventLog } from '../port.ts';
import { startRelay } from './relay.ts';
import { sampleAppend } from '../testing.ts';

const write = async (log: EventLog, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await log.append(sampleAppend());
};
const positions = (commits: readonly Commit[]): number[] => commits.map((commit) => commit.position);

/** Where a relay keeps its positions. */
function checkpoints() {
  const kept = new Map<number, number>();
  const saves: number[] = [];
  return {
    kept,
    saves,
    from: async (lane: number) => kept.get(lane) ?? 0,
    saved: (lane: number, position: number) => {
      kept.set(lane, position);
      saves.push(position);
    },
  };
}

describe('startRelay', () => {
  test('publishes every commit in order, and a restart goes on where the last one ended', async () => {
    const log = memoryEventLog();
    const points = checkpoints();
    const published: Commit[] = [];
    const publish = async (commits: readonly Commit[]): Promise<void> => void published.push(...commits);
    await write(log, 5);
    const first = startRelay(log, { from: points.from, saved: points.saved, publish });
    await first.caughtUp();
    await first.close();
    await write(log, 3);
    const second = startRelay(log, { from: points.from, saved: points.saved, publish });
    await second.caughtUp();
    await second.close();
    expect(positions(published)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('publishes each commit at once, in a lane that grows all the time too', async () => {
    const log = memoryEventLog();
    const published: Commit[] = [];
    const publish = async (commits: readonly Commit[]): Promise<void> => void published.push(...commits);
    const relay = startRelay(log, { from: async () => 0, publish });
    await relay.caughtUp();
    for (let written = 1; written <= 12; written += 1) {
      await write(log, 1);
      // Turns of the event loop, of which none waits for a timer.
      for (let turns = 0; turns < 20; turns += 1) await turn();
      expect(published).toHaveLength(written);
    }
    await relay.close();
  });

  test('repeats a batch that the transport refused before it goes on: at least once, never out of order', async () => {
    const log = memoryEventLog();
    await write(log, 4);
    const taken: number[][] = [];
    const errors: unknown[] = [];
    let tries = 0;
    const relay = startRelay(log, {
      from: async () => 0,
      batch: 2,
      onError: (error) => errors.push(error),
      async publish(commits) {
        tries += 1;
        taken.push(positions(commits));
        // The transport took the second batch, but its answer was lost.
        if (tries === 2 || tries === 3) throw new Error('no answer');
      },
    });
    await relay.caughtUp();
    await relay.close();
    expect(taken).toEqual([
      [1, 2],
      [3, 4],
      [3, 4],
      [3, 4],
    ]);
    expect(errors).toHaveLength(2);
  });

  test('saves positions only after publishing, at most once in the interval, and at close', async () => {
    const log = memoryEventLog();
    const points = checkpoints();
    let published = 0;
    const relay = startRelay(log, {
      from: points.from,
      batch: 1,
      saveEvery: 60,
      publish: async ([commit]) => void (published = commit!.position),
      saved(lane, position) {
        expect(position).toBeLessThanOrEqual(published);
        points.saved(lane, position);
      },
    });
    await write(log, 30);
    await relay.caughtUp();
    for (let n = 0; n < 100 && points.saves.at(-1) !== 30; n += 1) await pause(10);
    expect(points.saves.length).toBeLessThan(10);
    await write(log, 1);
    await relay.caughtUp();
    await relay.close();
    expect(points.kept.get(log.laneOf('school_a'))).toBe(31);
  });

  test('at close the last position is saved after the one that is on its way, never beside it', async () => {
    const log = memoryEventLog();
    await write(log, 1);
    const steps: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = (): void => undefined;
    const saving = new Promise<void>((resolve) => (begun = resolve));
    const relay = startRelay(log, {
      from: async () => 0,
      saveEvery: 1,
      publish: async () => undefined,
      async saved(_lane, position) {
        steps.push(`begin ${position}`);
        begun();
        if (position === 1) await released;
        steps.push(`end ${position}`);
      },
    });
    await relay.caughtUp();
    await saving;
    await write(log, 1);
    await relay.caughtUp();
    const closed = relay.close();
    await pause(20);
    release();
    await closed;
    expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  test('a position that could not be saved is reported and costs nothing but a repeat', async () => {
    const log = memoryEventLog();
    await write(log, 2);
    const errors: unknown[] = [];
    const published: number[] = [];
    const options = {
      from: async () => 0,
      publish: async (commits: readonly Commit[]) => void published.push(...positions(commits)),
      saved: () => Promise.reject(new Error('disk full')),
      onError: (error: unknown) => errors.push((error as Error).message),
    };
    for (let run = 0; run < 2; run += 1) {
      const relay = startRelay(log, options);
      await relay.caughtUp();
      await relay.close();
    }
    expect(published).toEqual([1, 2, 1, 2]);
    expect(errors).toEqual(['disk full', 'disk full']);
  });
});
