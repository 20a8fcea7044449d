import { beforeAll, describe, expect, test } from '@jest/globals';
import { compiled } from './compiled.ts';
import { type Plan, surviveKills } from './lives.ts';

/** Kills at each point; the long run sets another number. */
const kills = Number(process.env['CRASH_KILLS'] ?? 20);
const patience = 60_000 + kills * 3_000;

beforeAll(compiled, 120_000);

/** Lets processes die at a point. Nothing may be lost, doubled, out of order or skipped. */
async function survived(point: Plan['point'], passages: number) {
  const result = await surviveKills({ point, kills, passages, seed: String(Date.now()) });
  expect(result.faults).toEqual([]);
  expect(result.kills).toBe(kills);
  expect(result.acknowledged).toBeGreaterThan(kills / 5);
  return result;
}

describe('after every SIGKILL each consumer has applied each fact once and in order', () => {
  test(
    'C5: the transport acknowledged, the checkpoint is not saved: published again, and the watermark drops it',
    async () => expect((await survived('C5', 12)).repeated).toBeGreaterThan(0),
    patience,
  );

  test(
    'C6: killed while the transport takes a batch: the same batch is sent again, whatever of it had arrived',
    async () => expect((await survived('C6', 12)).repeated).toBeGreaterThan(0),
    patience,
  );

  test(
    'C7: a relay with an old place publishes beside another one: repeats and rewinds are dropped',
    async () => expect((await survived('C7', 14)).repeated).toBeGreaterThan(0),
    patience,
  );

  test(
    'C8: the transport lost records: the gap is seen, and the owner’s history fills it',
    async () => expect((await survived('C8', 10)).missing).toBeGreaterThan(0),
    patience,
  );

  test(
    'C9: the effect is done, the watermark is not saved: the fact comes again, and its effect is there once',
    async () => expect((await survived('C9', 20)).redelivered).toBeGreaterThan(0),
    patience,
  );
});
