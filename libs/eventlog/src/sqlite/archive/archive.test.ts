import { afterAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '@lyceum/sqlite';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Archived } from './archiving.ts';
import { LogUnfit } from '../../lane.ts';
import { Block } from './block.ts';
import { sqliteEventLog } from '../sqlite.ts';
import { archiveAll, openArchived, readsOf, writeLog } from '../../testing/archived.ts';
import { sampleAppend, wholeLane } from '../../testing/sample.ts';
import { testEventLog } from '../../testing.ts';
import { reopenable } from '../../testing/opened.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-archive-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, String((files += 1)), 'log.db');

const openLog = (together: number, gather: number) => () => {
  const file = newFile();
  return reopenable(() => sqliteEventLog({ file, gather, archive: { ...archiveAll, together } }));
};

testEventLog('sqlite, archiving every row at once', openLog(1, 1));
testEventLog('sqlite, archiving some rows together', openLog(1_500, 2));

/** A closed log of two lanes. */
async function written(commits: number, together = 1): Promise<string> {
  const file = newFile();
  await writeLog(file, commits, together);
  return file;
}

const hotReads = async (file: string, commits: number): Promise<unknown> => {
  const log = await sqliteEventLog({ file });
  const reads = await readsOf(log, commits);
  await log.close();
  return reads;
};

/** What the file has in its tables. */
async function stateOf(file: string) {
  const database = await openDatabase(file, { durable: true });
  const one = <T>(sql: string) => Object.values(database.prepare(sql).get()!)[0] as T;
  const state = {
    format: one<number>('SELECT format FROM log'),
    rows: one<number>('SELECT count(*) FROM commits'),
    blocks: one<number>('SELECT count(*) FROM archived'),
    pages: one<number>('PRAGMA page_count'),
    free: one<number>('PRAGMA freelist_count'),
  };
  database.close();
  return state;
}

async function change(file: string, sql: string, ...values: readonly (string | number)[]): Promise<void> {
  const database = await openDatabase(file, { durable: true });
  expect(database.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  database.close();
}

const shapes = fc.record({
  commits: fc.integer({ min: 12, max: 40 }),
  appended: fc.integer({ min: 1, max: 5 }),
  together: fc.integer({ min: 1, max: 2_000 }),
  room: fc.integer({ min: 1, max: 2_000 }),
});

describe('the archive of a log', () => {
  test('whatever is in it, each read tells what it told before, also after the log is opened again', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async ({ commits, appended, together, room }) => {
        const count = commits * appended;
        const file = await written(count, appended);
        const before = await hotReads(file, count);
        const log = await openArchived({ file }, { together, room });
        expect(await readsOf(log, count)).toEqual(before);
        await log.close();
        expect((await stateOf(file)).blocks).toBeGreaterThan(0);
        expect(await hotReads(file, count)).toEqual(before);
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  test('takes rows when there are enough of them, goes on after those that it has, and tells how much it took', async () => {
    const file = await written(30);
    const told: Archived[] = [];
    const archive = { together: 3_000, room: 1_000, onArchived: (each: Archived) => told.push(each) };
    await (await openArchived({ file }, archive)).close();
    const { rows, blocks } = await stateOf(file);
    expect(rows).toBeGreaterThan(0);
    expect(told).toEqual([{ commits: 30 - rows, sizeBefore: expect.any(Number), sizeAfter: expect.any(Number) }]);
    const [{ sizeBefore, sizeAfter }] = told as [Archived];
    expect([sizeBefore > 3_000, sizeBefore / blocks < 1_500, sizeAfter < sizeBefore]).toEqual([true, true, true]);
    const log = await sqliteEventLog({ file });
    for (let n = 30; n < 60; n += 1) await log.append(sampleAppend({ commitId: `commit-${n}` }));
    await log.close();
    const before = await hotReads(file, 60);
    await (await openArchived({ file }, archive)).close();
    expect(told[0]!.commits + told[1]!.commits + (await stateOf(file)).rows).toBe(60);
    expect(await hotReads(file, 60)).toEqual(before);
  });

  test('is begun with the first block: until then the log has the format of before', async () => {
    const file = await written(10);
    const none = await sqliteEventLog({ file, archive: { ...archiveAll, together: 1_000_000 } });
    await none.append(sampleAppend({ commitId: 'commit-10' }));
    await pause(20);
    await none.close();
    expect(await stateOf(file)).toMatchObject({ format: 2, rows: 11, blocks: 0 });
    await (await openArchived({ file })).close();
    expect(await stateOf(file)).toMatchObject({ format: 3, rows: 0, blocks: 11 });
    await change(file, 'UPDATE log SET format = ?', 4);
    await expect(sqliteEventLog({ file })).rejects.toThrow(
      new LogUnfit('the log has format 4, this version reads 2 and 3'),
    );
  });

  test('leaves commits that are younger than the limit, and what was written after them', async () => {
    const file = newFile();
    const log = await sqliteEventLog({ file });
    for (const day of [1, 2, 3, 4, 9, 1, 1]) await log.append(sampleAppend({ at: `2026-01-0${day}T00:00:00.000Z` }));
    await log.close();
    const clock = { now: () => Date.parse('2026-01-08T00:00:00Z') };
    await (await openArchived({ file }, { clock, olderThan: 4.5 * 24 * 3_600_000 })).close();
    expect(await stateOf(file)).toMatchObject({ rows: 4, blocks: 3 });
  });

  test('gives the space of the rows that went to new ones', async () => {
    const file = await written(600);
    await (await openArchived({ file }, { together: 32_000, room: 32_000 })).close();
    const before = await stateOf(file);
    expect(before.free).toBeGreaterThan(20);
    const log = await sqliteEventLog({ file });
    for (let n = 0; n < 30; n += 1) await log.append(sampleAppend());
    await log.close();
    expect((await stateOf(file)).pages).toBe(before.pages);
  });

  test('grows while others write and read: no read sees a commit twice, or not at all', async () => {
    const file = newFile();
    const log = await sqliteEventLog({ file, gather: 4, lanes: 2, archive: archiveAll });
    const lane = log.laneOf('school_a');
    for (let n = 0; n < 120; n += 1) {
      const { commit } = await log.append(sampleAppend({ commitId: `commit-${n}` }));
      const [whole, { commits, heads }, found] = await Promise.all([
        wholeLane(log, lane),
        log.load('school_a', ['note-1']),
        log.find('school_a', `commit-${n >> 1}`),
      ]);
      expect(whole.map(({ commitId }) => commitId)).toEqual(Array.from({ length: n + 1 }, (_, k) => `commit-${k}`));
      expect([commits.length, heads['note-1'], found?.position]).toEqual([n + 1, n + 1, (n >> 1) + 1]);
      expect(commit.position).toBe(n + 1);
    }
    await log.close();
    expect((await stateOf(file)).blocks).toBeGreaterThan(0);
  });

  test('gives lines of a release without checksums one', async () => {
    const file = await written(6);
    await change(file, `UPDATE commits SET lines = rtrim(rtrim(lines, '0123456789'), char(9))`);
    const before = await hotReads(file, 6);
    await (await openArchived({ file })).close();
    expect(await hotReads(file, 6)).toEqual(before);
    const database = await openDatabase(file, { durable: true });
    const { rows } = database
      .prepare<{ rows: Uint8Array }>('SELECT rows FROM archived WHERE id % (1 << 40) = 3')
      .get()!;
    database.close();
    expect(new Block(rows).row(3)?.lines).toMatch(/\]\t\d+$/);
  });
});
