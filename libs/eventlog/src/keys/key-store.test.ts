import { afterAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testKeyStore } from '../testing/key-store.ts';
import { memoryKeyStore } from './memory-key-store.ts';
import { sqliteKeyStore } from './sqlite-key-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-keys-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, String((files += 1)), 'keys.db');

testKeyStore('memoryKeyStore', async () => {
  const store = memoryKeyStore();
  return { store, dispose: () => store.close() };
});

testKeyStore('sqliteKeyStore', async () => {
  const file = newFile();
  let store = await sqliteKeyStore({ file });
  const opened = store;
  const reopen = async () => {
    await store.close();
    return (store = await sqliteKeyStore({ file }));
  };
  return { store: opened, reopen, dispose: () => store.close() };
});

/** All bytes of the files beside a database, its WAL included. */
async function rawBytes(file: string): Promise<string> {
  const beside = join(file, '..');
  const names = await readdir(beside);
  const contents = await Promise.all(names.map((name) => readFile(join(beside, name), 'latin1')));
  return contents.join('');
}

describe('sqliteKeyStore', () => {
  test('leaves no byte of a destroyed key in any file, also after page splits have left copies', async () => {
    const file = newFile();
    const store = await sqliteKeyStore({ file });
    const keys = Array.from({ length: 1_000 }, () => ({
      subject: `account_${randomBytes(16).toString('hex')}`,
      wrapped: randomBytes(60).toString('base64url'),
    }));
    for (const { subject, wrapped } of keys) await store.add({ tenant: 'school_a', subject }, wrapped);
    expect(keys.every(({ wrapped }) => wrapped.length === 80)).toBe(true);
    const before = await rawBytes(file);
    expect(keys.filter(({ wrapped }) => before.includes(wrapped))).toHaveLength(1_000);
    const gone = keys.slice(0, 20);
    for (const { subject } of gone) {
      await store.destroy({ tenant: 'school_a', subject });
      const wrapped = keys.find((key) => key.subject === subject)!.wrapped;
      const after = await rawBytes(file);
      // Not even a part that could be guessed on.
      expect([after.includes(wrapped), after.includes(wrapped.slice(20, 40))]).toEqual([false, false]);
    }
    const after = await rawBytes(file);
    expect(keys.slice(20).every(({ wrapped }) => after.includes(wrapped))).toBe(true);
    await store.close();
  });
});
