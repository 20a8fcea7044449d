import { afterAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '@lyceum/sqlite';
import fc from 'fast-check';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsIn } from '../log-check.ts';
import { LogUnfit } from '../lane.ts';
import type { Commit } from '../port.ts';
import { sqliteEventLog } from '../sqlite/sqlite.ts';
import { openArchived, writeLog } from '../testing/archived.ts';
import { isWhole, planRepair, repairLogFile } from './repair.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-archive-repair-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;

const count = 40;

/** A closed log of 40 commits in two lanes, most of which are archived, a copy of it from before that, and one of it. */
async function archivedLog() {
  const file = join(folder, `${(files += 1)}.db`);
  const [hot, copy] = [`${file}.hot`, `${file}.archived`];
  await writeLog(file, count);
  const before = await contentOf(file);
  await copyFile(file, hot);
  await (await openArchived({ file }, { together: 2_000, room: 700 })).close();
  await copyFile(file, copy);
  return { file, hot, copy, before };
}

async function contentOf(file: string) {
  const log = await sqliteEventLog({ file });
  const faults = await faultsIn(log);
  const lanes = Array.from({ length: faults.length === 0 ? log.lanes : 0 }, (_, lane) => log.readLane(lane, 0, 1_000));
  const content = JSON.parse(JSON.stringify(await Promise.all(lanes))) as Commit[][];
  await log.close();
  return { epoch: log.epoch, faults: faults.length, lanes: content };
}

type Damage = (block: Buffer) => Buffer;

async function damage(file: string, nth: number, how: Damage): Promise<void> {
  const database = await openDatabase(file, { durable: true });
  const blocks = database.prepare<{ id: number; rows: Uint8Array }>('SELECT id, rows FROM archived ORDER BY id').all();
  const { id, rows } = blocks[nth % blocks.length]!;
  database.prepare('UPDATE archived SET rows = ? WHERE id = ?').run(how(Buffer.from(rows)), id);
  database.close();
}

async function run(file: string, sql: string): Promise<void> {
  const database = await openDatabase(file, { durable: true });
  expect(database.prepare(sql).run().changes).toBeGreaterThan(0);
  database.close();
}

const damages: readonly (readonly [string, Damage])[] = [
  ['zeros', (block) => Buffer.alloc(block.length)],
  ['nothing', () => Buffer.alloc(0)],
  ['its beginning', (block) => block.subarray(0, block.length - 60)],
  ['a changed byte', (block) => ((block[block.length - 50]! ^= 0x15), block)],
];

describe('a log whose archive is damaged', () => {
  test.each(damages)('(%s) has the commits back from a copy, archived or not, and is the same log', async (_, how) => {
    const { file, hot, copy, before } = await archivedLog();
    for (const from of [hot, copy]) {
      await copyFile(copy, file);
      await damage(file, 2, how);
      expect((await contentOf(file)).faults).toBeGreaterThan(0);
      const plan = await planRepair({ file, copy: from });
      expect([isWhole(plan, undefined), plan.isNewEpoch, plan.unplaced]).toEqual([true, false, 0]);
      expect(new Set(plan.holes.map(({ reason, remedy }) => `${reason} ${remedy}`))).toEqual(
        new Set(['damaged restore']),
      );
      await repairLogFile({ file, copy: from }, `now${(files += 1)}`);
      expect(await contentOf(file)).toEqual(before);
    }
  });

  test('keeps in any case what can be read of it, and is archived again after the repair', async () => {
    const { file, copy, before } = await archivedLog();
    const damaged = fc.uniqueArray(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 3 })), {
      selector: ([nth]) => nth,
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(damaged, async (some) => {
        await copyFile(copy, file);
        for (const [nth, how] of some) await damage(file, nth, damages[how]![1]);
        const { holes } = await repairLogFile({ file, lost: 'mark' }, `now${(files += 1)}`);
        const lost = holes.reduce((sum, { from, to }) => sum + to - from + 1, 0);
        await (await openArchived({ file }, { together: 2_000 })).close();
        const after = await contentOf(file);
        expect(after.faults).toBe(0);
        const readable = after.lanes.flat().filter(({ events }) => events.length > 0);
        expect(readable).toHaveLength(count - lost);
        expect(before.lanes.flat()).toEqual(expect.arrayContaining(readable));
      }),
      { numRuns: 15 },
    );
  });

  test('lacks what was in a block that is gone, and says where', async () => {
    const { file, copy, before } = await archivedLog();
    await run(file, 'DELETE FROM archived WHERE id = (SELECT min(id) FROM archived)');
    const { holes } = await planRepair({ file });
    expect(holes).toMatchObject([{ lane: 0, from: 1, reason: 'missing', remedy: undefined }]);
    await repairLogFile({ file, copy }, 'now');
    expect(await contentOf(file)).toEqual(before);
  });

  test('is never taken for whole when neither the block nor the index tells what was in it', async () => {
    const { file } = await archivedLog();
    await damage(file, 0, damages[0]![1]);
    await run(file, 'DELETE FROM runs WHERE place < (1 << 40)');
    const plan = await planRepair({ file });
    expect(isWhole(plan, undefined)).toBe(false);
  });

  test('that nothing is wrong with is whole, and a log of a later release is not looked at', async () => {
    const { file } = await archivedLog();
    expect(await planRepair({ file })).toEqual({ holes: [], unplaced: 0, isNewEpoch: false, torn: [] });
    await run(file, 'UPDATE log SET format = 4');
    await expect(planRepair({ file })).rejects.toThrow(LogUnfit);
  });
});
