import { afterAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './open-database.ts';
import { WalPages } from './wal-pages.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-wal-pages-'));
afterAll(() => rm(folder, { recursive: true }));

async function watched(name: string) {
  const file = join(folder, name, 'it.db');
  const database = await openDatabase(file, { durable: true });
  database.exec('CREATE TABLE one (a); CREATE TABLE other (a)');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const wal = new WalPages(file);
  const rootOf = (table: string) =>
    database.prepare<{ rootpage: number }>('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table)!.rootpage;
  return { database, wal, pages: { one: rootOf('one'), other: rootOf('other') } };
}

test('each page that is written is told once for each commit, in their order', async () => {
  const { database, wal, pages } = await watched('told');
  expect(wal.next()).toEqual([]);
  database.exec('INSERT INTO one VALUES (1)');
  database.exec('INSERT INTO other VALUES (1)');
  expect(wal.next()).toEqual([pages.one, pages.other]);
  expect(wal.next()).toEqual([]);
  database.exec('INSERT INTO one VALUES (2)');
  expect([wal.next(), wal.length]).toEqual([[pages.one], 3]);
  wal.close();
  database.close();
});

test('a WAL that is begun anew is read from its beginning when that was announced, and else something is missing', async () => {
  const { database, wal, pages } = await watched('anew');
  database.exec('INSERT INTO one VALUES (1)');
  expect(wal.next()).toEqual([pages.one]);
  wal.writingBack();
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(wal.next()).toEqual([]);
  database.exec('INSERT INTO other VALUES (1)');
  expect(wal.next()).toEqual([pages.other]);
  database.exec('INSERT INTO one VALUES (2)');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('INSERT INTO other VALUES (2)');
  expect(() => wal.next()).toThrow('begun anew');
  wal.close();
  database.close();
});
