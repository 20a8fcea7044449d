import { openDatabase } from '@lyceum/sqlite';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeOf } from '../lane.ts';
import { fromLine, toLine } from '../storage/line.ts';
import { RecentCommits } from '../embedded/recent.ts';
import { idKey, streamKey } from '../embedded/packed-key.ts';
import { openSchema } from './schema.ts';
import { SqliteTables } from './tables.ts';
import type { StoredCommit } from '../storage/store.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-tables-'));
afterAll(() => rm(folder, { recursive: true }));

const commit = (position: number, stream: string, change: Partial<StoredCommit> = {}): StoredCommit => ({
  lane: 3,
  position,
  tenant: 'school_a',
  commitId: `id-${position}`,
  prev: `id-${position - 1}`,
  fingerprint: 'asked',
  at: '2026-01-05T08:00:00.000Z',
  meta: '{"actor":"user_1"}',
  streams: [{ id: stream, before: position - 1, after: position }],
  events: '[[0,"Noted",1,{"text":"a"}]]',
  ...change,
});

async function withTables(name: string, work: (tables: SqliteTables) => void): Promise<void> {
  const database = await openDatabase(join(folder, `${name}.db`), { durable: false });
  openSchema(database);
  work(new SqliteTables(database));
  database.close();
}

describe('the tables of a log', () => {
  test('a stream or an id that shares its number with another one is told apart', () =>
    withTables('shared', (tables) => {
      const [own, other, tenant] = [commit(1, 'own'), commit(2, 'other'), commit(3, 'own', { tenant: 'school_b' })];
      tables.add(1, [[own, other, tenant].map(toLine).join('\n')]);
      tables.addRuns([[placeOf(own), 1, 0, 3]]);
      tables.addTouches(
        [own, other, tenant].map((each) => [streamKey('school_a', 'own'), each.position, placeOf(each)]),
      );
      tables.addIds([own, other, tenant].map((each) => [idKey('id-1'), 0, placeOf(each)]));
      expect(tables.version('school_a', 'own')).toBe(1);
      expect(tables.touching('school_a', 'own', 0)).toEqual([own]);
      expect(tables.find('school_a', 'id-1')).toEqual(own);
      expect(tables.find('school_b', 'id-1')).toBeUndefined();
    }));

  test('a lane is read across rows that it shares with others, from any position, up to any number', () =>
    withTables('range', (tables) => {
      const all = Array.from({ length: 200 }, (_, index) => commit(index + 1, 's'));
      const recent = new RecentCommits();
      let row = 1;
      for (const [index, each] of all.entries()) {
        recent.add(each);
        recent.add({ ...each, lane: index % 2 ? 1 : 5, position: Math.floor(index / 2) + 1 });
        if (index % 7 < 6 && index < 199) continue;
        const rows = recent.seal(row);
        tables.add(row, rows);
        row += rows.length;
      }
      tables.addRuns(recent.runs);
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 205 }), fc.integer({ min: 1, max: 210 }), (from, limit) => {
          expect(tables.range(3, from, limit)).toEqual(all.slice(from - 1, from - 1 + limit));
        }),
      );
      expect(tables.range(2, 1, 10)).toEqual([]);
      expect(tables.range(4, 1, 10)).toEqual([]);
    }));
});

describe('rows of the index', () => {
  test('are all added, however many at once, and those that it has stay', () =>
    withTables('bulk', (tables) => {
      const rows = Array.from({ length: 300 }, (_, n) => commit(n + 1, 's'));
      const place = (n: number) => placeOf(rows[n]!);
      tables.add(1, [rows.map(toLine).join('\n')]);
      tables.addRuns(rows.map((_, n) => [place(n), 1, n, 1]));
      for (const [from, to] of [
        [0, 1],
        [1, 64],
        [60, 128],
        [128, 300],
      ] as const)
        tables.addTouches(
          rows.slice(from, to).map((each) => [streamKey('school_a', 's'), each.position, placeOf(each)]),
        );
      expect(tables.touching('school_a', 's', 0)).toEqual(rows);
    }));
});

describe('the rows of commits', () => {
  test('have the lanes in ascending order, take no further line when they are full, and leave memory as it was', () => {
    const recent = new RecentCommits();
    const long = (size: number) => ({ events: `[[0,"Noted",1,{"text":"${'x'.repeat(size)}"}]]` });
    const all = [
      commit(1, 'a', { lane: 2, ...long(1_500) }),
      commit(1, 'b', { lane: 1 }),
      commit(2, 'a', { lane: 2, ...long(1_500) }),
      commit(3, 'a', { lane: 2, ...long(9_000) }),
      commit(4, 'a', { lane: 2 }),
    ];
    for (const each of all) recent.add(each);
    const rows = recent.seal(7).map((row) => row.split('\n').map(fromLine));
    expect(rows.map((row) => row.map(({ lane, position }) => [lane, position]))).toEqual([
      [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
      [[2, 3]],
      [[2, 4]],
    ]);
    expect(recent.runs).toEqual([
      [placeOf({ lane: 1, position: 1 }), 7, 0, 1],
      [placeOf({ lane: 2, position: 1 }), 7, 1, 2],
      [placeOf({ lane: 2, position: 3 }), 8, 0, 1],
      [placeOf({ lane: 2, position: 4 }), 9, 0, 1],
    ]);
    expect(recent.range(2, 1, 9)).toEqual([all[0], all[2], all[3], all[4]]);
    expect(recent.seal(10)).toEqual([]);
  });
});

describe('a line', () => {
  test('gives back any commit, and has no line feed of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.anything(), (text, value) => {
        const meta = JSON.stringify({ actor: text });
        const events = JSON.stringify([[0, text, 1, value ?? null]]);
        const written = commit(1, text, { tenant: text, fingerprint: text, meta, events });
        const line = toLine(written);
        expect(line).not.toContain('\n');
        expect(fromLine(line)).toEqual(written);
      }),
    );
  });

  test('that was cut off is refused', () => {
    const line = toLine(commit(1, 's'));
    expect(() => fromLine(line.slice(0, 20))).toThrow(SyntaxError);
  });
});

describe('the number of a commit id', () => {
  test('grows with the time of a UUID of version 7, and is negative for every other id', () => {
    const [early, late] = ['0197f3a0-0000-7fff-bfff-ffffffffffff', '0197f3a0-0001-7000-8000-000000000000'];
    expect(idKey(early!)).toBeLessThan(idKey(late!));
    for (const id of ['1', '0197f3a0-0000-5fff-bfff-ffffffffffff', 'zzzzzzzz-zzzz-7zzz-zzzz-zzzzzzzzzzzz'])
      expect(idKey(id)).toBeLessThan(0);
  });
});
