import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@lyceum/sqlite';
import { fromLine, toLine } from './storage/line.ts';
import { faultsIn } from './log-check.ts';
import { commitOf, packed, recordOf, unpacked } from './mongodb/mongodb-record.ts';
import { Damaged } from './errors.ts';
import { sqliteEventLog } from './sqlite/sqlite.ts';
import { noted, sampleAppend } from './testing/sample.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-log-check-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;

/** A closed log of one lane with so many commits, each in a row of its own; some rows are changed as they lie in the file. */
async function damagedLog(commits: number, damage: Readonly<Record<number, (line: string) => string>>) {
  const file = join(folder, `${(files += 1)}.db`);
  const log = await sqliteEventLog({ file, lanes: 1 });
  for (let n = 0; n < commits; n += 1) await log.append(sampleAppend({ events: [noted(`note-${n}`)] }));
  await log.close();
  const database = await openDatabase(file, { durable: true });
  for (const [row, change] of Object.entries(damage)) {
    const { lines } = database.prepare<{ lines: string }>('SELECT lines FROM commits WHERE id = ?').get(Number(row))!;
    expect(change(lines)).not.toBe(lines);
    database.prepare('UPDATE commits SET lines = ? WHERE id = ?').run(change(lines), Number(row));
  }
  database.close();
  return sqliteEventLog({ file });
}

/** As releases before wrote it. */
const withoutChecksum = (line: string): string => line.slice(0, line.lastIndexOf('\t'));

const damages: readonly (readonly [string, (line: string) => string])[] = [
  ['thirty NUL bytes in its events', (line) => `${line.slice(0, -60)}${'\0'.repeat(30)}${line.slice(-30)}`],
  ['one letter of its events changed', (line) => line.replace('Noted', 'Nosed')],
  ['another time', (line) => line.replace('2026', '2025')],
  ['its end cut off', (line) => line.slice(0, -20)],
  ['nothing left', () => ''],
  ['no checksum and its end cut off, as of an older release', (line) => withoutChecksum(line).slice(0, -3)],
];

describe('a stored commit that is not what was written', () => {
  test.each(damages)(
    '(%s) is told by its lane and position, and what comes before and after is read',
    async (_, damage) => {
      const log = await damagedLog(6, { 3: damage });
      await expect(log.readLane(0, 0, 10)).rejects.toMatchObject({ name: Damaged.name, lane: 0, at: 3 });
      expect(await log.readLane(0, 0, 2)).toHaveLength(2);
      expect(await log.readLane(0, 4, 10)).toHaveLength(2);
      expect(await faultsIn(log)).toEqual([{ lane: 0, position: 3, reason: 'damaged' }]);
      expect(await faultsIn(log, { newest: 2 })).toEqual([]);
      await log.close();
    },
  );

  test('is found wherever it is, beside commits of a release that wrote no checksums', async () => {
    const gone = (line: string) => toLine({ ...fromLine(line), position: 99 });
    const log = await damagedLog(300, {
      1: damages[1]![1],
      2: withoutChecksum,
      7: damages[0]![1],
      8: damages[1]![1],
      280: gone,
      300: withoutChecksum,
    });
    const found = (await faultsIn(log)).map(({ position, reason }) => `${position} ${reason}`);
    expect(found).toEqual(['1 damaged', '7 damaged', '8 damaged', '280 missing']);
    expect(await faultsIn(log, { most: 2 })).toHaveLength(2);
    await log.close();
  });

  test('is noticed in a document of a MongoDB-wire server too, in both ways that it is kept', () => {
    const commit = {
      lane: 3,
      position: 7,
      tenant: 'school_a',
      commitId: 'c',
      prev: 'b',
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: '{"actor":"a"}',
      streams: [{ id: 's', before: 0, after: 1 }],
      events: '[[0,"Noted",1,{}]]',
    };
    const [record, pack] = [recordOf(commit), packed(commit)];
    expect([commitOf(3, record), unpacked(3, pack)]).toEqual([commit, commit]);
    expect(() => commitOf(3, { ...record, ev: '[[0,"Nosed",1,{}]]' })).toThrow(Damaged);
    expect(() => unpacked(3, { ...pack, text: pack.text.replace('Noted', 'Nosed') })).toThrow(Damaged);
    expect(() => unpacked(3, { ...pack, text: pack.text.slice(0, 5) })).toThrow(Damaged);
    const [{ crc: _one, ...older }, { crc: _other, ...olderPack }] = [record, pack];
    expect([commitOf(3, older), unpacked(3, olderPack)]).toEqual([commit, commit]);
  });
});
