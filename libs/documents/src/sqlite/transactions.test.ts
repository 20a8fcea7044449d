import { type Database, openDatabase } from '@lyceum/sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transactions } from './transactions.ts';

let folder: string;
let database: Database;
let begun: number;
let undone: number;
let transactions: Transactions;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transactions-'));
  database = await openDatabase(join(folder, 'documents.db'), { durable: false });
  database.exec('CREATE TABLE word (text TEXT PRIMARY KEY)');
  begun = undone = 0;
  const counting: Pick<Database, 'transaction'> = {
    transaction(work) {
      begun += 1;
      return database.transaction(work);
    },
  };
  transactions = new Transactions(counting, () => (undone += 1));
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const add = (text: string) => () => void database.prepare('INSERT INTO word (text) VALUES (?)').run(text);
const words = () =>
  database
    .prepare<{ text: string }>('SELECT text FROM word ORDER BY text')
    .all()
    .map(({ text }) => text);

test('work of one turn shares a transaction', async () => {
  await Promise.all(['a', 'b', 'c'].map((text) => transactions.run(add(text))));
  expect(words()).toEqual(['a', 'b', 'c']);
  expect(begun).toBe(1);
});

test('work that fails is the only work that fails', async () => {
  const results = await Promise.allSettled(['a', 'a', 'b'].map((text) => transactions.run(add(text))));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(words()).toEqual(['a', 'b']);
  expect(undone).toBe(2);
});

test('work that waits is done by a flush, at once', () => {
  void transactions.run(add('a'));
  transactions.flush();
  expect(words()).toEqual(['a']);
});
