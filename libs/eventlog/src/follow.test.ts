import { describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Checkpoint } from '@lyceum/kernel';
import { followLog } from './follow.ts';
import { memoryEventLog } from './memory/memory.ts';
import { Gap, Unavailable } from './errors.ts';
import type { Commit, EventLog } from './port.ts';
import { LaneGaps } from './following/lane-gaps.ts';
import { hidingEventLog } from './testing/hiding-log.ts';
import { sampleAppend } from './testing.ts';
import { tenantsApart } from './testing/sample.ts';

const write = async (log: EventLog, count: number, tenant = 'school_a'): Promise<void> => {
  for (let n = 0; n < count; n += 1) await log.append(sampleAppend({ tenant }));
};

/** A handler that keeps its own checkpoints, as a projector does. */
function keeper() {
  const positions = new Map<number, number>();
  const seen: Commit[] = [];
  return {
    seen,
    from: async (lane: number) => positions.get(lane) ?? 0,
    handle: async (commits: readonly Commit[]) => {
      seen.push(...commits);
      positions.set(commits[0]!.lane, commits.at(-1)!.position);
    },
    of: (lane: number) => seen.filter((commit) => commit.lane === lane).map((commit) => commit.position),
  };
}

/** The same log, in which a position is missing until it is there. */
const withHole = (log: EventLog, at: number, isThere: () => boolean): EventLog => ({
  ...log,
  async readLane(lane, after, limit) {
    if (!isThere() && after < at && after + limit >= at) throw new Gap(lane, at);
    return log.readLane(lane, after, limit);
  },
});

type Range = Parameters<EventLog['readLane']>;

const yes = () => true;
const no = () => false;

const idAt = async (log: EventLog, lane: number, position: number): Promise<string> =>
  (await log.readLane(lane, position - 1, 1))[0]!.commitId;

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('followLog', () => {
  test('hands over every commit of every lane in order, old and new', async () => {
    const log = memoryEventLog();
    const [one, two] = tenantsApart(log, 2) as [string, string];
    await write(log, 10, one);
    const kept = keeper();
    const following = followLog(log, { ...kept, batch: 4 });
    await write(log, 5, two);
    await write(log, 3, one);
    await following.caughtUp();
    expect(kept.of(log.laneOf(one))).toEqual(upTo(13));
    expect(kept.of(log.laneOf(two))).toEqual(upTo(5));
    await following.close();
  });

  test('starts each lane after its checkpoint', async () => {
    const log = memoryEventLog();
    await write(log, 5);
    const kept = keeper();
    const following = followLog(log, { ...kept, from: async (lane) => (lane === log.laneOf('school_a') ? 3 : 0) });
    await following.caughtUp();
    expect(kept.of(log.laneOf('school_a'))).toEqual([4, 5]);
    await following.close();
  });

  test('a doorbell makes a new commit arrive at once, long before the next poll', async () => {
    const log = memoryEventLog();
    const kept = keeper();
    const following = followLog(log, kept);
    await following.caughtUp();
    const before = performance.now();
    await write(log, 20);
    await following.caughtUp();
    expect(kept.seen).toHaveLength(20);
    expect(performance.now() - before).toBeLessThan(20 * 250);
    await following.close();
  });

  test('a lane that grows all the time is handed over in batches of what came in 10 ms, until somebody waits', async () => {
    const log = memoryEventLog();
    const kept = keeper();
    let batches = 0;
    const handle: typeof kept.handle = (commits) => {
      batches += 1;
      return kept.handle(commits);
    };
    const following = followLog(log, { ...kept, handle });
    await following.caughtUp();
    const began = performance.now();
    await write(log, 200);
    const took = performance.now() - began;
    expect(batches).toBeLessThanOrEqual(took / 10 + 6);
    for (let n = 0; n < 5; n += 1) {
      await write(log, 1);
      await following.caughtUp();
    }
    expect(kept.of(log.laneOf('school_a'))).toEqual(upTo(205));
    await following.close();
  });

  test('followers that look look at the same moment, so that a server is asked once', async () => {
    const looks: number[] = [];
    const below = memoryEventLog({ lanes: 1 });
    const log: EventLog = { ...below, head: (lane) => (looks.push(performance.now()), below.head(lane)) };
    const all = [];
    for (let n = 0; n < 4; n += 1) {
      all.push(followLog(log, { ...keeper(), poll: 400 }));
      await pause(60);
    }
    await Promise.all(all.map((each) => each.caughtUp()));
    looks.length = 0;
    await pause(900);
    await Promise.all(all.map((each) => each.close()));
    const moments = new Set(looks.map((at) => Math.round(at / 200)));
    expect(looks.length).toBeGreaterThanOrEqual(8);
    expect(moments.size).toBe(looks.length / 4);
  });

  test('a log whose doorbell is lost is polled', async () => {
    const log = memoryEventLog();
    const kept = keeper();
    const following = followLog({ ...log, wake: () => () => undefined }, { ...kept, poll: 10 });
    await following.caughtUp();
    await write(log, 3);
    for (let n = 0; n < 200 && kept.seen.length < 3; n += 1) await pause(10);
    expect(kept.seen.map((commit) => commit.position)).toEqual([1, 2, 3]);
    await following.close();
  });

  test('caughtUp waits for what is in the log at the call, and a lane never has two batches in flight', async () => {
    const log = memoryEventLog();
    await write(log, 12);
    let inFlight = 0;
    let most = 0;
    let handled = 0;
    const following = followLog(log, {
      batch: 2,
      from: async () => 0,
      async handle(commits) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await pause(2);
        handled += commits.length;
        inFlight -= 1;
      },
    });
    await following.caughtUp();
    expect({ handled, most }).toEqual({ handled: 12, most: 1 });
    await following.close();
  });

  test('a failing handler is reported and retried from its checkpoint, and other lanes go on', async () => {
    const log = memoryEventLog();
    const [bad, good] = tenantsApart(log, 2) as [string, string];
    await write(log, 3, bad);
    await write(log, 3, good);
    const kept = keeper();
    const errors: unknown[] = [];
    let failures = 3;
    const following = followLog(log, {
      from: kept.from,
      batch: 2,
      onError: (error, lane) => errors.push([(error as Error).message, lane]),
      async handle(commits) {
        if (commits[0]!.tenant === bad && failures > 0) {
          failures -= 1;
          // Part of the batch was kept before the failure.
          if (failures === 0) await kept.handle(commits.slice(0, 1));
          throw new Error('no');
        }
        await kept.handle(commits);
      },
    });
    await following.caughtUp();
    expect(kept.of(log.laneOf(bad))).toEqual([1, 2, 3]);
    expect(kept.of(log.laneOf(good))).toEqual([1, 2, 3]);
    expect(errors).toEqual([1, 2, 3].map(() => ['no', log.laneOf(bad)]));
    await following.close();
  });

  test('a log that cannot be read for a while is retried', async () => {
    const log = memoryEventLog();
    await write(log, 3);
    let failures = 2;
    const flaky: EventLog = {
      ...log,
      readLane(...range) {
        if ((failures -= 1) >= 0) throw new Unavailable('not now');
        return log.readLane(...range);
      },
    };
    const kept = keeper();
    const following = followLog(flaky, kept);
    await following.caughtUp();
    expect(kept.seen).toHaveLength(3);
    await following.close();
  });

  test('a gap is reported and stops its lane, while the others go on', async () => {
    const log = memoryEventLog();
    const [ahead, well] = tenantsApart(log, 2) as [string, string];
    await write(log, 2, ahead);
    await write(log, 2, well);
    const errors: unknown[] = [];
    const kept = keeper();
    const following = followLog(log, {
      handle: kept.handle,
      // As in an election, or after the restore of an older backup: the checkpoint is ahead of the log.
      from: async (lane) => (lane === log.laneOf(ahead) ? 50 : kept.from(lane)),
      onError: (error) => errors.push(error),
    });
    await expect(following.caughtUp()).rejects.toThrow(Gap);
    await write(log, 9, ahead);
    await write(log, 1, well);
    await expect(following.caughtUp()).rejects.toThrow(Gap);
    for (let n = 0; n < 200 && kept.seen.length < 3; n += 1) await pause(5);
    expect(kept.of(log.laneOf(well))).toEqual([1, 2, 3]);
    expect(kept.of(log.laneOf(ahead))).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ name: 'Gap', lane: log.laneOf(ahead), at: 50 });
    await following.close();
  });

  test('a lane stands before a hole, having handled what precedes it, and goes on by itself when it is filled', async () => {
    const log = memoryEventLog();
    await write(log, 5);
    let isThere = false;
    const laneGaps = new LaneGaps();
    const errors: unknown[] = [];
    const kept = keeper();
    const lane = log.laneOf('school_a');
    const following = followLog(
      { ...withHole(log, 3, () => isThere), laneGaps },
      { ...kept, onError: (error) => errors.push(error) },
    );
    await expect(following.caughtUp()).rejects.toThrow(Gap);
    expect(kept.of(lane)).toEqual([1, 2]);
    expect(laneGaps.missingIn(lane)).toBe(3);
    expect(laneGaps.missingIn(lane + 1)).toBeUndefined();
    await pause(100);
    expect(errors).toMatchObject([{ name: 'Gap', lane, at: 3 }]);
    isThere = true;
    for (let n = 0; n < 1_000 && kept.seen.length < 5; n += 1) await pause(10);
    expect(kept.of(lane)).toEqual(upTo(5));
    await following.caughtUp();
    expect(laneGaps.missingIn(lane)).toBeUndefined();
    await following.close();
  });

  test('who ends before a gap stands nowhere any more', async () => {
    const log = memoryEventLog();
    await write(log, 2);
    const laneGaps = new LaneGaps();
    const following = followLog({ ...withHole(log, 1, () => false), laneGaps }, keeper());
    await expect(following.caughtUp()).rejects.toThrow(Gap);
    await following.close();
    expect(laneGaps.missingIn(log.laneOf('school_a'))).toBeUndefined();
  });

  test('a lane that lost its end stands until that is back, and goes on without any new commit', async () => {
    const log = memoryEventLog();
    await write(log, 3);
    const hiding = hidingEventLog(log);
    const kept = keeper();
    const lane = log.laneOf('school_a');
    const following = followLog(hiding, { ...kept, poll: 5 });
    await following.caughtUp();
    hiding.hide(lane, 1);
    await expect(
      following
        .caughtUp()
        .then(() => pause(30))
        .then(() => following.caughtUp()),
    ).rejects.toThrow(Gap);
    hiding.show();
    await pause(200);
    await following.caughtUp();
    await write(log, 2);
    await following.caughtUp();
    expect(kept.of(lane)).toEqual(upTo(5));
    await following.close();
  });

  test('a follower that starts while its checkpoint is hidden goes on by itself when it is there again', async () => {
    const log = memoryEventLog();
    await write(log, 5);
    const hiding = hidingEventLog(log);
    const lane = log.laneOf('school_a');
    hiding.hide(lane, 2);
    for (const commitId of [await idAt(log, lane, 5), undefined]) {
      const kept = keeper();
      const from = async (each: number) => (each === lane ? { position: 5, commitId } : 0);
      hiding.hide(lane, 2);
      const following = followLog(hiding, { ...kept, from, poll: 5 });
      await expect(following.caughtUp()).rejects.toThrow(Gap);
      hiding.show();
      for (let n = 0; n < 1_000 && !(await following.caughtUp().then(yes, no)); n += 1) await pause(5);
      await following.caughtUp();
      expect(kept.of(lane)).toEqual([]);
      await following.close();
    }
  });

  test('another history is noticed at a checkpoint, in the lane, at its end and after a standstill, and never followed', async () => {
    const [log, other] = [memoryEventLog(), memoryEventLog()];
    await write(log, 3);
    await write(other, 5);
    const lane = log.laneOf('school_a');
    const heard: unknown[] = [];
    const follow = (shown: EventLog, at: Checkpoint) => {
      const kept = keeper();
      let from = at;
      const onError = (error: unknown) => heard.push((error as Error).name);
      const diverged = (which: number) => void ((from = { position: 0 }), heard.push(which));
      const handle = async (commits: readonly Commit[]) => {
        await kept.handle(commits);
        from = { position: await kept.from(lane) };
      };
      const own = async (each: number) => (each === lane ? from : 0);
      return { kept, following: followLog(shown, { from: own, handle, diverged, onError, poll: 5 }) };
    };
    for (const position of [3, 5]) {
      const { kept, following } = follow(other, { position, commitId: await idAt(log, lane, 3) });
      await following.caughtUp();
      expect(kept.of(lane)).toEqual(upTo(5));
      expect(heard.splice(0)).toEqual(['OtherHistory', lane]);
      await following.close();
    }
    // The log is replaced under the follower: first by one that is shorter, then by one that has grown.
    let shown = log;
    const now = { ...log, head: (n: number) => shown.head(n), readLane: (...r: Range) => shown.readLane(...r) };
    const { kept, following } = follow(now, { position: 0 });
    await following.caughtUp();
    shown = memoryEventLog();
    await pause(50);
    shown = other;
    for (let n = 0; n < 1_000 && kept.of(lane).length < 8; n += 1) await pause(5);
    expect(kept.of(lane)).toEqual([1, 2, 3, ...upTo(5)]);
    expect(heard).toEqual(['Gap', 'OtherHistory', lane]);
    await following.close();
  });

  test('close waits for the batch in flight, handles nothing later and ends those who wait', async () => {
    const log = memoryEventLog();
    await write(log, 4);
    let finished = 0;
    let started = (): void => undefined;
    const first = new Promise<void>((resolve) => (started = resolve));
    const following = followLog(log, {
      batch: 1,
      from: async () => 0,
      async handle() {
        started();
        await pause(20);
        finished += 1;
      },
    });
    const waiting = following.caughtUp();
    await Promise.all([
      expect(waiting).rejects.toThrow(Unavailable),
      first.then(() => following.close()).then(() => expect(finished).toBe(1)),
    ]);
    await write(log, 1);
    await pause(30);
    expect(finished).toBe(1);
    await expect(following.caughtUp()).rejects.toThrow(Unavailable);
  });
});
