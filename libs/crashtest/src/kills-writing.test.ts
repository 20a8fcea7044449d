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

describe('after every SIGKILL nothing is lost, doubled, out of order or skipped', () => {
  test(
    'C1: killed before the insert reaches the database: nothing is stored, and the client asks again',
    async () => void (await survived('C1', 25)),
    patience,
  );

  test(
    'C2: killed when the commit is durable, before the answer: the same id is answered with what is stored',
    async () => expect((await survived('C2', 60)).replayed).toBeGreaterThan(0),
    patience,
  );

  test(
    'C3: killed inside the insert of a group: whole groups are stored, or nothing of them',
    async () => void (await survived('C3', 60)),
    patience,
  );

  test(
    'C4: killed when the commit is stored, before the doorbell rings: everybody finds it by position',
    async () => expect((await survived('C4', 20)).replayed).toBeGreaterThan(0),
    patience,
  );

  test(
    'C10: killed inside the write of a projection: documents and place move together, and the rest is applied once',
    async () => void (await survived('C10', 40)),
    patience,
  );
});
