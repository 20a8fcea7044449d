import { afterAll, describe, expect, test } from '@jest/globals';
import { AlreadyRunning, openDatabase } from '@lyceum/sqlite';
import fc from 'fast-check';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsIn } from '../log-check.ts';
import { LogFileDamaged } from '../sqlite/log-file.ts';
import type { Commit } from '../port.ts';
import { sqliteEventLog } from '../sqlite/sqlite.ts';
import { noted, sampleAppend } from '../testing/sample.ts';
import { isWhole, planRepair, repairLogFile } from './repair.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-log-repair-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;

/** A closed log of one lane in which each commit has a row of its own, and a copy of its file. */
async function logOf(commits: number, lanes = 1, tenants: readonly string[] = ['school_a']) {
  const file = join(folder, `${(files += 1)}.db`);
  const log = await sqliteEventLog({ file, lanes });
  for (let n = 1; n <= commits; n += 1)
    await log.append(sampleAppend({ tenant: tenants[n % tenants.length]!, events: [noted('diary', `note-${n}`)] }));
  await log.close();
  const copy = `${file}.backup`;
  await copyFile(file, copy);
  return { file, copy, before: await contentOf(file) };
}

interface Content {
  readonly epoch: string | undefined;
  readonly faults: number;
  readonly lanes: readonly (readonly Commit[])[];
}

async function contentOf(file: string): Promise<Content> {
  const log = await sqliteEventLog({ file });
  const faults = (await faultsIn(log)).length;
  const all = Array.from({ length: faults === 0 ? log.lanes : 0 }, (_, lane) => log.readLane(lane, 0, 10_000));
  const lanes = JSON.parse(JSON.stringify(await Promise.all(all))) as Commit[][];
  await log.close();
  return { epoch: log.epoch, faults, lanes };
}

/** Changes rows as they lie in the file. */
async function change(file: string, sql: string, ...values: readonly (string | number)[]): Promise<void> {
  const database = await openDatabase(file, { durable: true });
  expect(database.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  database.close();
}

async function rowsOf(file: string): Promise<readonly unknown[]> {
  const database = await openDatabase(file, { durable: true });
  const rows = database.prepare('SELECT id, lines FROM commits').all();
  database.close();
  return rows;
}

/** Bytes of the file itself. */
async function flip(file: string, text: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at + 2] = bytes[at + 2]! ^ 0x15;
  await writeFile(file, bytes);
}

const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ['flipped bytes in the file', (file) => flip(file, '"note-3"')],
  ['a torn line', (file) => change(file, 'UPDATE commits SET lines = substr(lines, 1, 40) WHERE id = 3')],
  ['a row of zeros', (file) => change(file, `UPDATE commits SET lines = '${'0'.repeat(300)}' WHERE id = 3`)],
  ['a row that is gone', (file) => change(file, 'DELETE FROM commits WHERE id = 3')],
];

describe('a log with damage in its middle', () => {
  test.each(damages)('(%s) has the commit back from a copy, and is the same log', async (_, damage) => {
    const { file, copy, before } = await logOf(6);
    await damage(file);
    const plan = await planRepair({ file, copy });
    expect(plan.holes).toMatchObject([{ lane: 0, from: 3, to: 3, remedy: 'restore' }]);
    expect([plan.isNewEpoch, isWhole(plan, undefined)]).toEqual([false, true]);
    const { kept } = await repairLogFile({ file, copy }, 'now');
    expect(await contentOf(file)).toEqual(before);
    expect((await contentOf(kept)).faults).toBe(1);
  });

  test.each(damages)('(%s) is not touched while nobody says what to do without the commit', async (_, damage) => {
    const { file } = await logOf(6);
    await damage(file);
    const plan = await planRepair({ file });
    expect(plan.holes).toMatchObject([{ from: 3, to: 3, remedy: undefined, behind: 3 }]);
    const rows = await rowsOf(file);
    await expect(repairLogFile({ file }, 'now')).rejects.toThrow(LogFileDamaged);
    expect(await rowsOf(file)).toEqual(rows);
    await expect(readFile(`${file}.repaired`)).rejects.toThrow('ENOENT');
  });

  test.each(damages)('(%s) goes on after a mark in another epoch, and says what it lacks', async (_, damage) => {
    const { file, before } = await logOf(6);
    await damage(file);
    const { torn, kept } = await repairLogFile({ file, lost: 'mark' }, 'now');
    const { epoch, faults, lanes } = await contentOf(file);
    expect([faults, epoch === before.epoch]).toEqual([0, false]);
    const [was, is] = [before.lanes[0]!, lanes[0]!];
    expect([...is.slice(0, 2), ...is.slice(3)]).toEqual([...was.slice(0, 2), ...was.slice(3)]);
    expect(is[2]).toMatchObject({ commitId: was[2]!.commitId, events: [], meta: { lost: true } });
    expect(torn).toEqual([{ tenant: 'school_a', stream: 'diary', from: 3, to: 3 }]);
    await expect(readFile(kept)).resolves.toBeDefined();
  });

  test('is cut before the damage only where that is asked for, and other lanes stay as they are', async () => {
    const { file, before } = await logOf(12, 2, ['school_a', 'school_b', 'school_c', 'school_d']);
    const lane = before.lanes.findIndex((commits) => commits.length > 3);
    const { text } = before.lanes[lane]![2]!.events[0]!.data as { text: string };
    await flip(file, `"${text}"`);
    const { holes } = await repairLogFile({ file, lost: 'cut' }, 'now');
    expect(holes).toMatchObject([{ lane, from: 3, remedy: 'cut', behind: before.lanes[lane]!.length - 3 }]);
    const after = await contentOf(file);
    expect(after.epoch).not.toBe(before.epoch);
    expect(after.lanes).toEqual(before.lanes.map((commits, at) => (at === lane ? commits.slice(0, 2) : commits)));
  });

  test('takes nothing from a log of another history', async () => {
    const [{ file }, other] = [await logOf(6), await logOf(6)];
    await damages[1]![1](file);
    const plan = await planRepair({ file, copy: other.copy });
    expect(plan.holes).toMatchObject([{ from: 3, to: 3, remedy: undefined }]);
  });
});

describe('a log with damage at its end', () => {
  test('has its last commits back from a copy that has them, also where nothing in the file tells of them', async () => {
    const { file, copy, before } = await logOf(6);
    await change(file, 'DELETE FROM commits WHERE id > 4');
    await change(file, 'DELETE FROM runs WHERE row > 4');
    expect((await planRepair({ file })).holes).toEqual([]);
    const { isNewEpoch, holes } = await repairLogFile({ file, copy }, 'now');
    expect([holes[0]?.from, holes[0]?.to, isNewEpoch]).toEqual([5, 6, false]);
    expect((await contentOf(file)).lanes).toEqual(before.lanes);
  });

  test('that nothing tells the place of is never taken for an end', async () => {
    const { file } = await logOf(6);
    await change(file, "UPDATE commits SET lines = '' WHERE id = 6");
    await change(file, 'DELETE FROM runs WHERE row = 6');
    const plan = await planRepair({ file });
    expect([plan.unplaced, isWhole(plan, undefined), isWhole(plan, 'cut'), plan.isNewEpoch]).toEqual([
      1,
      false,
      true,
      true,
    ]);
    await expect(repairLogFile({ file }, 'now')).rejects.toThrow(LogFileDamaged);
  });

  test('is ended before the torn commit in another epoch, and goes on from there', async () => {
    const { file, before } = await logOf(6);
    await change(file, 'UPDATE commits SET lines = substr(lines, 1, 60) WHERE id = 6');
    const { isNewEpoch } = await repairLogFile({ file, lost: 'cut' }, 'now');
    expect(isNewEpoch).toBe(true);
    const log = await sqliteEventLog({ file });
    expect(await log.head(0)).toBe(5);
    const { commit } = await log.append(sampleAppend({ events: [noted('goes on')] }));
    expect([commit.position, commit.prev]).toEqual([6, before.lanes[0]![4]!.commitId]);
    await log.close();
  });
});

test('a log is not repaired while a process has it', async () => {
  const { file, copy } = await logOf(3);
  const log = await sqliteEventLog({ file });
  await expect(repairLogFile({ file, copy }, 'now')).rejects.toThrow(AlreadyRunning);
  await log.close();
});

test('whatever rows are damaged, a repair from a copy gives the same log, a mark keeps all that is readable, a cut a beginning', async () => {
  const { file, copy, before } = await logOf(40, 3, ['school_a', 'school_b', 'school_c', 'school_d', 'school_e']);
  const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 2 })), {
    selector: ([row]) => row,
    maxLength: 6,
  });
  const lost = fc.constantFrom('mark' as const, 'cut' as const);
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), lost, async (damaged, withCopy, way) => {
      await copyFile(copy, file);
      for (const [row, how] of damaged)
        await change(
          file,
          [
            'DELETE FROM commits WHERE id = ?',
            'UPDATE commits SET lines = substr(lines, 1, 30) WHERE id = ?',
            "UPDATE commits SET lines = replace(lines, 'note', 'nota') WHERE id = ?",
          ][how]!,
          row,
        );
      const { isNewEpoch } = await repairLogFile(
        { file, lost: way, copy: withCopy ? copy : undefined },
        `x${(files += 1)}`,
      );
      const after = await contentOf(file);
      expect(after.faults).toBe(0);
      expect(isNewEpoch).toBe(!withCopy && damaged.length > 0);
      if (withCopy) return void expect(after).toEqual(before);
      for (const [lane, commits] of after.lanes.entries()) {
        const was = before.lanes[lane]!;
        const readable = commits.filter(({ events }) => events.length > 0);
        expect(was).toEqual(expect.arrayContaining([...readable]));
        if (way === 'cut') expect(commits).toEqual(was.slice(0, commits.length));
        else expect(commits).toHaveLength(was.length);
      }
    }),
    { numRuns: 25 },
  );
});
