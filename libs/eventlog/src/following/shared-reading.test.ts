import { describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { followLog } from '../follow.ts';
import { forwarding } from '../forwarding.ts';
import { Vault } from '../keys/vault.ts';
import { memoryKeyStore } from '../keys/memory-key-store.ts';
import { memoryEventLog } from '../memory/memory.ts';
import type { Commit, EventLog } from '../port.ts';
import { sampleAppend, testEventLog } from '../testing.ts';
import { withSharedReading } from './shared-reading.ts';

const vaultOf = () => new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]);

testEventLog('withSharedReading over memoryEventLog', async () => {
  const log = withSharedReading(memoryEventLog(), { erasures: vaultOf() });
  return { log, dispose: () => log.close() };
});

const tenant = 'school_a';

/** A log that is read by sharing, the reads that it came to, and how each of them goes. */
async function reading(commits: number, options: { readonly stay?: number; readonly bytes?: number } = {}) {
  const stored = memoryEventLog();
  const grow = async (count: number) => {
    for (let left = count; left > 0; left -= 1) await stored.append(sampleAppend({ tenant }));
  };
  await grow(commits);
  const lane = stored.laneOf(tenant);
  const reads: (readonly [after: number, limit: number])[] = [];
  const steps: { before?: () => Promise<void> } = {};
  const counted = forwarding(stored, {
    async readLane(...part) {
      reads.push([part[1], part[2]]);
      const found = await stored.readLane(...part);
      await steps.before?.();
      return found;
    },
  });
  const vault = vaultOf();
  const log = withSharedReading(counted, { erasures: vault, ...options });
  return { log, lane, reads, vault, grow, steps };
}

const positions = (commits: readonly Commit[]) => commits.map(({ position }) => position);
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** What a follower was handed, from the beginning to where the log ends now. */
async function followed(log: EventLog, lane: number, slowness: number): Promise<readonly number[]> {
  const handled: number[] = [];
  const following = followLog(log, {
    from: async () => 0,
    async handle(commits, of) {
      await pause(slowness);
      if (of === lane) handled.push(...positions(commits));
    },
  });
  await following.caughtUp();
  await following.close();
  return handled;
}

describe('the same part of a lane', () => {
  test('is read once for all who follow it, however fast each is, and each gets everything in order', async () => {
    const { log, lane, reads } = await reading(1_000);
    const all = await Promise.all([0, 1, 2, 5, 10].map((slowness) => followed(log, lane, slowness)));
    expect(all).toEqual(Array(5).fill(upTo(1_000)));
    expect(reads).toEqual([0, 256, 512, 768].map((after) => [after, 256]));
  });

  test('is longer when the lane has grown, whether it was read before or is being read', async () => {
    const { log, lane, reads, grow, steps } = await reading(2);
    expect(positions(await log.readLane(lane, 0, 10))).toEqual([1, 2]);
    expect(positions(await log.readLane(lane, 0, 10))).toEqual([1, 2]);
    expect(reads).toHaveLength(1);
    await grow(1);
    steps.before = () => pause(20);
    const begun = log.readLane(lane, 0, 10);
    await pause(5);
    await grow(1);
    expect([positions(await log.readLane(lane, 0, 10)), positions(await begun)]).toEqual([upTo(4), upTo(3)]);
    // A part that is full stays as it is.
    await log.readLane(lane, 0, 4);
    await grow(1);
    const before = reads.length;
    expect(positions(await log.readLane(lane, 0, 4))).toEqual(upTo(4));
    expect(reads).toHaveLength(before);
  });

  test('is read anew once somebody is erased, also when it was being read at that moment', async () => {
    const { log, lane, reads, vault, steps } = await reading(3);
    await log.readLane(lane, 0, 3);
    await vault.destroy(tenant, 'account_1');
    steps.before = () => pause(20);
    const begun = log.readLane(lane, 0, 3);
    await pause(5);
    await vault.destroy(tenant, 'account_2');
    await log.readLane(lane, 0, 3);
    await begun;
    expect(reads).toHaveLength(3);
    await log.readLane(lane, 0, 3);
    expect(reads).toHaveLength(3);
  });

  test('is read again after a failure, which all who asked get', async () => {
    const { log, lane, reads, steps } = await reading(3);
    steps.before = () => Promise.reject(new Error('the disk is gone'));
    const asked = await Promise.allSettled([log.readLane(lane, 0, 3), log.readLane(lane, 0, 3)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    delete steps.before;
    expect(positions(await log.readLane(lane, 0, 3))).toEqual(upTo(3));
    expect(reads).toHaveLength(2);
  });

  test('stays for a moment only, and not at all when it is too large', async () => {
    const { log, lane, reads } = await reading(3, { stay: 20 });
    await log.readLane(lane, 0, 3);
    await pause(60);
    await log.readLane(lane, 0, 3);
    expect(reads).toHaveLength(2);
    const large = await reading(3, { bytes: 100 });
    for (let times = 0; times < 2; times += 1) await large.log.readLane(large.lane, 0, 3);
    expect(large.reads).toHaveLength(2);
    // As those read who read a whole log.
    for (let times = 0; times < 2; times += 1) await log.readLane(lane, 0, 257);
    expect(reads).toHaveLength(4);
  });
});

test('a log on a server, which other processes write, is read by each for itself', () => {
  const log = forwarding(memoryEventLog(), { looksOut: true });
  expect(withSharedReading(log, { erasures: vaultOf() })).toBe(log);
});
