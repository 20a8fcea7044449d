import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Faults, faultyChannel } from '@lyceum/channel/testing';
import type { History } from '../history/history.ts';
import { source } from '../service/mini-service.ts';
import { PeacefulRun } from '../history/peaceful-run.ts';
import { accounts } from '../service/projections.ts';
import type { Seams } from '../service/seams.ts';

const root = await mkdtemp(join(tmpdir(), 'lyceum-rows-'));
afterAll(() => rm(root, { recursive: true }));
let folders = 0;
const run = (seams: Partial<Seams> = {}) => PeacefulRun.on(join(root, String((folders += 1))), seams);

/** Records that the transport got more than once. */
const repeatsIn = ({ spooled }: History): number =>
  spooled.map((positions) => positions.length - new Set(positions).size).reduce((sum, each) => sum + each);

describe('what the transport does to facts', () => {
  test('C4: no doorbell ever rings, and everything is found by looking, within about the ten seconds between two looks', async () => {
    const running = await run({ log: (log) => ({ ...log, wake: () => () => undefined }) });
    const { log, documents } = running.service;
    await running.calls(3);
    const began = performance.now();
    // Not `caughtUp`, which rings by itself.
    const isBehind = async (lane: number) =>
      (await documents.checkpoint(accounts.collection, source, lane)) < (await log.head(lane));
    for (let lane = 0; lane < log.lanes; lane += 1) while (await isBehind(lane)) await pause(5);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect((await running.end()).faults).toEqual([]);
  });

  test('C6: three of four answers of the transport are lost: the same batch is sent again, and applied once', async () => {
    let published = 0;
    const running = await run({
      channel: (channel) => ({
        ...channel,
        async publish(messages) {
          await channel.publish(messages);
          published += 1;
          if (published % 4 !== 0) throw new Error('timed out');
        },
      }),
    });
    await running.calls(5);
    const { history, faults } = await running.end();
    expect(faults).toEqual([]);
    expect(repeatsIn(history)).toBeGreaterThan(5);
  });

  test('C7: two relays publish at once, one of them late and from an old place: each fact is applied once, in order', async () => {
    const running = await run({
      secondRelay: (channel) => ({
        ...channel,
        async publish(messages) {
          await pause(Math.random() * 20);
          await channel.publish(messages);
        },
      }),
    });
    await running.calls(8);
    const { history, faults } = await running.end();
    expect(faults).toEqual([]);
    expect(repeatsIn(history)).toBeGreaterThan(5);
  });

  test.each<[string, Omit<Faults, 'seed'>]>([
    ['loses a third', { drop: 0.35 }],
    ['loses everything', { drop: 1 }],
    ['repeats and rewinds', { duplicate: 0.4, rewind: 0.3 }],
    ['loses, repeats, rewinds and delays', { drop: 0.2, duplicate: 0.2, rewind: 0.2, delay: 0.3 }],
  ])('C8: the transport %s: gaps are filled from the owner, the rest is dropped', async (_, faults) => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const running = await run({ channel: (channel) => faultyChannel(channel, { seed, ...faults }) });
      await running.calls(4);
      expect((await running.end()).faults).toEqual([]);
    }
  });
});
