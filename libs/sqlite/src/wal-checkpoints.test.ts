import { afterAll, expect, test } from '@jest/globals';
import { fstatSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Database } from './database.ts';
import { freeze } from './freeze.ts';
import { openDatabase } from './open-database.ts';
import { WalCheckpoints } from './wal-checkpoints.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-checkpoints-'));
afterAll(() => rm(folder, { recursive: true }));

/** A database whose rows take a page each. */
async function opened(name: string) {
  const file = join(folder, name);
  const database = await openDatabase(file, { durable: false });
  database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)');
  return { file, database, size: () => statSync(file).size };
}

const addRows = (database: Database, count: number): void =>
  database.transaction(() => {
    const insert = database.prepare('INSERT INTO t (b) VALUES (?)');
    for (let row = 0; row < count; row += 1) insert.run('x'.repeat(3_900));
  });

/** Commits a little until the file is greater. No commit itself makes it so. */
async function committedUntilGreater(database: Database, size: () => number, than: number): Promise<void> {
  for (let tries = 0; size() <= than && tries < 300; tries += 1) {
    await pause(10);
    const before = size();
    addRows(database, 1);
    expect(size()).toBe(before);
    await turn();
  }
  expect(size()).toBeGreaterThan(than);
}

test('a WAL of 8,000 pages is written back between two transactions, and in none of them', async () => {
  const { database, size } = await opened('full.db');
  const before = size();
  addRows(database, 8_500);
  expect(size()).toBe(before);
  await committedUntilGreater(database, size, 8_000 * 4_096);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});

test('a frozen file is left alone, and written to again after the thaw', async () => {
  const { database, size } = await opened('frozen.db');
  const { thaw } = freeze(database);
  const frozen = size();
  addRows(database, 8_500);
  for (let tries = 0; tries < 30; tries += 1) {
    await pause(10);
    addRows(database, 1);
  }
  expect(size()).toBe(frozen);
  thaw();
  await committedUntilGreater(database, size, frozen);
  database.close();
});

test('a WAL is due when its 8,000th page is of its present life, and not when it is left of an earlier one', async () => {
  const file = join(folder, 'lives.db');
  const { database } = await opened('lives.db');
  const asked: (() => void)[] = [];
  let times = 0;
  const checkpoints = new WalCheckpoints(file, {
    copy: () => {
      times += 1;
      return false;
    },
    disk: (_descriptor, done) => void asked.push(done),
  });
  const cycle = async (): Promise<number> => {
    const before = times;
    checkpoints.written();
    for (let tries = 0; asked.length === 0 && tries < 200; tries += 1) await pause(10);
    asked.shift()!();
    checkpoints.written();
    await turn();
    return times - before;
  };
  addRows(database, 100);
  expect(await cycle()).toBe(0);
  addRows(database, 8_000);
  expect(await cycle()).toBe(1);
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  // The first page of the next life.
  addRows(database, 1);
  expect(await cycle()).toBe(0);
  checkpoints.close();
  database.close();
});

/** Checkpoints of a full WAL, over a disk that is done when the test says so. */
async function due(name: string) {
  const { file, database } = await opened(name);
  addRows(database, 40);
  const asked: ((error?: Error) => void)[] = [];
  let copies = 0;
  const copy = () => (copies += 1) > 0;
  const checkpoints = new WalCheckpoints(file, { copy, pages: 20, disk: (_, done) => void asked.push(done) });
  return { checkpoints, database, asked, copies: () => copies };
}

test('after a trip of the WAL to the disk, a full one is copied back, and the sync lasts until the disk has that, too', async () => {
  const { checkpoints, database, asked, copies } = await due('copied.db');
  let isSynced = false;
  const syncing = checkpoints.sync().then(() => (isSynced = true));
  asked.shift()!();
  await pause(10);
  expect([copies(), asked.length, isSynced]).toEqual([1, 1, false]);
  asked.shift()!();
  await syncing;
  checkpoints.close();
  database.close();
});

test('closing in the middle of a trip leaves its descriptor open until it is over', async () => {
  const { file, database } = await opened('closed.db');
  addRows(database, 40);
  const trips: { readonly descriptor: number; readonly done: () => void }[] = [];
  const disk = (descriptor: number, done: () => void) => void trips.push({ descriptor, done });
  const checkpoints = new WalCheckpoints(file, { copy: () => true, pages: 20, disk });
  const synced = checkpoints.sync();
  trips.shift()!.done();
  await pause(10);
  const [{ descriptor, done }] = trips as [(typeof trips)[number]];
  checkpoints.settle();
  checkpoints.close();
  const isOpen = () => {
    try {
      return fstatSync(descriptor).ino === statSync(file).ino;
    } catch {
      return false;
    }
  };
  expect(isOpen()).toBe(true);
  done();
  await synced;
  await pause(50);
  expect(isOpen()).toBe(false);
  database.close();
});

test('who writes meanwhile goes on when the disk has the pages; after a failure of the disk nobody does', async () => {
  const { checkpoints, database, asked } = await due('failed.db');
  const synced = checkpoints.sync();
  asked.shift()!();
  await pause(10);
  checkpoints.settle();
  asked.shift()!();
  await synced;
  const failed = checkpoints.sync();
  asked.shift()!();
  await pause(10);
  asked.shift()!(new Error('the disk is gone'));
  await expect(failed).rejects.toThrow('the disk is gone');
  expect(() => checkpoints.settle()).toThrow('the disk is gone');
  checkpoints.close();
  database.close();
});

test('no page reaches the file before the WAL is on the disk with all that was committed; where that fails, none does', async () => {
  const { file, database } = await opened('order.db');
  addRows(database, 40);
  const steps: string[] = [];
  let isBroken = false;
  const diskNow = (): void => {
    steps.push('WAL on disk');
    if (isBroken) throw new Error('the disk is gone');
  };
  const copy = (): boolean => steps.push('copied') > 0;
  const checkpoints = new WalCheckpoints(file, { copy, pages: 20, disk: (_, done) => done(), diskNow });
  await checkpoints.sync();
  expect(steps.splice(0)).toEqual(['WAL on disk', 'copied']);
  isBroken = true;
  await expect(checkpoints.sync()).rejects.toThrow('the disk is gone');
  expect(steps).toEqual(['WAL on disk']);
  expect(() => checkpoints.settle()).toThrow('the disk is gone');
  checkpoints.close();
  database.close();
});
