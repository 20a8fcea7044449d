import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { followLog } from '../follow.ts';
import { memoryEventLog } from '../memory/memory.ts';
import type { Commit, EventLog } from '../port.ts';
import { sampleAppend } from '../testing.ts';
import { tenantsApart } from '../testing/sample.ts';
import { LaneSet } from './lane-set.ts';
import { startRelay } from './relay.ts';

const log = memoryEventLog({ lanes: 4 });
const tenants = tenantsApart(log, 2) as [string, string];
const [one, two] = tenants.map((tenant) => log.laneOf(tenant)) as [number, number];

async function write(tenant: string): Promise<number> {
  await log.append(sampleAppend({ tenant }));
  return log.head(log.laneOf(tenant));
}

/** Two processes that keep their checkpoints at one place, and what each handled. */
function processes(given: EventLog) {
  const kept = new Map<number, number>();
  const start = (lanes: LaneSet, before: () => Promise<void> = async () => undefined) => {
    const seen: string[] = [];
    const left: number[] = [];
    const following = followLog(given, {
      lanes,
      left: (lane) => void left.push(lane),
      from: async (lane) => kept.get(lane) ?? 0,
      async handle(commits: readonly Commit[], lane) {
        await before();
        seen.push(...commits.map(({ position }) => `${lane}/${position}`));
        kept.set(lane, commits.at(-1)!.position);
      },
    });
    return { following, seen, left };
  };
  return { start };
}

test('a lane that went is handled no more once the change is made, and goes on at the next process behind what was in flight', async () => {
  const { start } = processes(log);
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  const [mine, others] = [new LaneSet([one, two]), new LaneSet()];
  const first = start(mine, () => isHeld);
  const second = start(others);
  const at = await write(tenants[0]);
  await pause(20);
  let isChanged = false;
  const changing = mine.change([two]).then(() => (isChanged = true));
  await pause(20);
  expect([isChanged, first.left]).toEqual([false, []]);
  release();
  await changing;
  expect([first.seen, first.left]).toEqual([[`${one}/${at}`], [one]]);
  await others.change([one]);
  await write(tenants[0]);
  const last = await write(tenants[1]);
  await Promise.all([first.following.caughtUp(), second.following.caughtUp()]);
  expect(first.seen.slice(1)).toEqual([`${two}/${last}`]);
  expect(second.seen).toEqual([`${one}/${at + 1}`]);
  await Promise.all([first.following.close(), second.following.close()]);
});

test('who waits for what is handled here does not wait for a lane that goes meanwhile', async () => {
  const stuck = memoryEventLog({ lanes: 4 });
  await stuck.append(sampleAppend({ tenant: tenants[0] }));
  const lanes = new LaneSet([one, two]);
  const handle = () => Promise.reject(new Error('not now'));
  const following = followLog(stuck, { lanes, from: async () => 0, handle });
  const waiting = following.caughtUp();
  await pause(20);
  await lanes.change([two]);
  await waiting;
  await following.close();
});

test('a relay saves where it was before it leaves a lane, and asks again when the lane comes back', async () => {
  const outbox = memoryEventLog({ lanes: 4 });
  const saved = new Map<number, number>();
  const published: number[] = [];
  const lanes = new LaneSet([one]);
  const relay = startRelay(outbox, {
    lanes,
    from: async (lane) => saved.get(lane) ?? 0,
    saved: (lane, position) => void saved.set(lane, position),
    publish: async (commits) => void published.push(...commits.map(({ position }) => position)),
  });
  await outbox.append(sampleAppend({ tenant: tenants[0] }));
  await relay.caughtUp();
  expect(saved.get(one)).toBeUndefined();
  await lanes.change([]);
  expect(saved.get(one)).toBe(1);
  // Another process went on.
  await outbox.append(sampleAppend({ tenant: tenants[0] }));
  saved.set(one, 2);
  await lanes.change([one]);
  await outbox.append(sampleAppend({ tenant: tenants[0] }));
  await relay.caughtUp();
  expect(published).toEqual([1, 3]);
  await relay.close();
});
