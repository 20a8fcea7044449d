import { afterAll, expect, test } from '@jest/globals';
import { openDatabase } from '@lyceum/sqlite';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Document, DocumentsUnavailable } from '../port.ts';
import { sqliteDocuments } from './sqlite.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-dropping-'));
afterAll(() => rm(folder, { recursive: true }));

const large: Collection = { name: 'large', version: 1, fields: { title: 'text', tags: 'set' } };
const kept: Collection = { name: 'kept', version: 1, fields: { title: 'text' } };

let files = 0;
async function filled() {
  const own = join(folder, `${(files += 1)}`);
  const file = join(own, 'documents.db');
  const documents = await sqliteDocuments({ file });
  for (const each of [large, kept]) await documents.open(each);
  const writes = Array.from({ length: 1_500 }, (_, n) => ({
    tenant: 'a',
    id: `${n}`,
    body: { title: `canary ${n}`, tags: [`t${n}`, 'all'] } as Document,
  }));
  await documents.apply(large, 'log', 0, 0, 7, writes);
  await documents.apply(kept, 'log', 0, 0, 7, [{ tenant: 'a', id: 'x', body: { title: 'stays' } }]);
  const bytes = async () =>
    (await Promise.all((await readdir(own)).map((name) => readFile(join(own, name), 'latin1')))).join('');
  return { file, documents, bytes };
}

/** Tables of collections in a file that nobody has open. */
async function tablesIn(file: string): Promise<readonly unknown[]> {
  const database = await openDatabase(file, { durable: false });
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '*_[0-9]'").all();
  database.close();
  return names.map(({ name }) => name);
}

test('a dropped collection is empty at once, may be opened with other fields, and a scrub leaves no byte of it', async () => {
  const { file, documents, bytes } = await filled();
  await documents.drop(large);
  const again: Collection = { ...large, fields: { colour: 'text' } };
  await documents.open(again);
  expect(await documents.checkpoint(again, 'log', 0)).toBe(0);
  await documents.apply(again, 'log', 0, 0, 1, [{ tenant: 'a', id: '1', body: { colour: 'red' } }]);
  expect((await documents.query(again, 'a', { limit: 10 })).items).toEqual([{ id: '1', body: { colour: 'red' } }]);
  await documents.scrub!();
  expect(await bytes()).not.toContain('canary');
  expect(await documents.get(kept, 'a', 'x')).toEqual({ title: 'stays' });
  await documents.close();
  expect(await tablesIn(file)).toHaveLength(4);
});

test('what was left of it when the store was closed goes with the next start', async () => {
  const { file, documents, bytes } = await filled();
  await documents.drop(large);
  await documents.close();
  expect(await tablesIn(file)).toHaveLength(4);
  const after = await sqliteDocuments({ file });
  for (const each of [large, kept]) await after.open(each);
  expect(await after.query(large, 'a', { limit: 10 })).toEqual({ items: [], more: false });
  await after.scrub!();
  expect(await bytes()).not.toContain('canary');
  expect(await after.get(kept, 'a', 'x')).toEqual({ title: 'stays' });
  await after.close();
  expect(await tablesIn(file)).toHaveLength(4);
});

test('two that are dropped after each other are both gone in the end', async () => {
  const { file, documents } = await filled();
  await documents.drop(large);
  await documents.drop(kept);
  await documents.scrub!();
  await expect(documents.get(kept, 'a', 'x')).rejects.toThrow('not open');
  await documents.close();
  await expect(documents.drop(kept)).rejects.toThrow(DocumentsUnavailable);
  expect(await tablesIn(file)).toEqual([]);
});
