import { openDatabase } from '@lyceum/sqlite';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeOf } from './lane.ts';
import { fromLine, toLine } from './line.ts';
import { idKey, streamKey } from './sqlite-key.ts';
import { openSchema } from './sqlite-schema.ts';
import { SqliteTables } from './sqlite-tables.ts';
import type { StoredCommit } from './store.ts';

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
      tables.addSegment(placeOf(own), [own, other, tenant].map(toLine), 0);
      tables.addTouches(
        [own, other, tenant].map((each) => [streamKey('school_a', 'own'), each.position, placeOf(each)]),
      );
      tables.addIds([own, other, tenant].map((each) => [idKey('id-1'), 0, placeOf(each)]));
      expect(tables.version('school_a', 'own')).toBe(1);
      expect(tables.touching('school_a', 'own', 0)).toEqual([own]);
      expect(tables.find('school_a', 'id-1')).toEqual(own);
      expect(tables.find('school_b', 'id-1')).toBeUndefined();
    }));

  test('a lane is read across segments, from any position, up to any number', () =>
    withTables('range', (tables) => {
      const all = Array.from({ length: 100 }, (_, index) => commit(index + 1, 's'));
      const lines = all.map(toLine);
      for (let at = 0; at < all.length;) at += tables.addSegment(placeOf(all[at]!), lines, at);
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 105 }), fc.integer({ min: 1, max: 110 }), (from, limit) => {
          expect(tables.range(3, from, limit)).toEqual(all.slice(from - 1, from - 1 + limit));
        }),
      );
      expect(tables.range(2, 1, 10)).toEqual([]);
      expect(tables.range(4, 1, 10)).toEqual([]);
    }));
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
