import { afterAll, describe, expect, test } from '@jest/globals';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyCompact, freeze } from './freeze.ts';
import { openDatabase } from './open-database.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-freeze-'));
afterAll(() => rm(folder, { recursive: true }));

describe('a frozen database', () => {
  test('can be copied while it is written to: the copy has what was committed before, to the row', async () => {
    const file = join(folder, 'live.db');
    const database = await openDatabase(file, { durable: true });
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)');
    const insert = database.prepare('INSERT INTO t (b) VALUES (?)');
    const many = (count: number) =>
      database.transaction(() => {
        for (let n = 0; n < count; n += 1) insert.run('x'.repeat(2_000));
      });
    many(5_000);
    const before = await readFile(file).then((bytes) => bytes.length);
    const { thaw } = freeze(database);
    const frozen = await readFile(file);
    const copy = join(folder, 'copy.db');
    const copying = copyFile(file, copy);
    // More than the engine would otherwise keep in its WAL.
    many(25_000);
    await copying;
    expect((await readFile(file)).equals(frozen)).toBe(true);
    expect(frozen.length).toBeGreaterThan(before);
    thaw();
    expect(database.prepare('PRAGMA wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 10_000 });
    many(1);
    expect((await readFile(file)).length).toBeGreaterThan(frozen.length);
    database.close();
    const copied = await openDatabase(copy, { durable: true });
    expect(copied.prepare('SELECT count(*) AS n, max(a) AS last FROM t').get()).toEqual({ n: 5_000, last: 5_000 });
    expect(copied.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    copied.close();
  });
});

describe('a compact copy', () => {
  test('has every row, and no byte of what was deleted', async () => {
    const database = await openDatabase(join(folder, 'keys.db'), { durable: true });
    database.exec("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('stays'), ('planted-secret')");
    database.exec("DELETE FROM t WHERE a = 'planted-secret'");
    const target = join(folder, "with 'quotes'.db");
    copyCompact(database, target);
    expect(() => copyCompact(database, target)).toThrow();
    database.close();
    expect((await readFile(target)).includes('planted-secret')).toBe(false);
    const copied = await openDatabase(target, { durable: true });
    expect(copied.prepare('SELECT a FROM t').all()).toEqual([{ a: 'stays' }]);
    copied.close();
  });
});
