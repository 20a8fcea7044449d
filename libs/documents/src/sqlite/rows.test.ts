import { afterAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointFenced, type Collection } from '../port.ts';
import { RecentRows } from './rows.ts';
import { sqliteDocuments } from './sqlite.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-rows-'));
afterAll(() => rm(folder, { recursive: true }));

const notes: Collection = { name: 'notes', version: 1, fields: {} };

test('a document that was read lately is read as it is now: after a change, a deletion, an undone transaction and a drop', async () => {
  const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
  await documents.open(notes);
  const read = async () => (await documents.get(notes, 't', 'a'))?.['text'];
  let place = 0;
  const put = (text: string | null, from = place) =>
    documents.apply(notes, 'log', 0, from, from + 1, [{ tenant: 't', id: 'a', body: text === null ? null : { text } }]);
  const next = async (text: string | null) => {
    await put(text);
    place += 1;
  };
  expect(await read()).toBeUndefined();
  for (const text of ['one', 'two', null, 'three', 'x'.repeat(5_000), 'four']) {
    await next(text);
    for (let again = 0; again < 2; again += 1) expect(await read()).toBe(text ?? undefined);
  }
  expect(await documents.get(notes, 'another', 'a')).toBeUndefined();
  // Both are in one transaction, which is undone; then each is tried alone.
  const [good, late] = await Promise.allSettled([put('five'), put('never', 0)]);
  expect([good.status, late.status === 'rejected' && late.reason instanceof CheckpointFenced]).toEqual([
    'fulfilled',
    true,
  ]);
  expect(await read()).toBe('five');
  await documents.drop(notes);
  await documents.open(notes);
  expect(await read()).toBeUndefined();
  await documents.close();
});

test('what is read again and again stays while many others pass; what is not is forgotten', () => {
  const rows = new RecentRows();
  for (const id of ['asked', 'left']) rows.keep('t', id, 'body');
  for (let other = 0; other < 30_000; other += 1) {
    rows.keep('t', String(other), 'body');
    if (other % 5_000 === 0) expect(rows.get('t', 'asked')).toBe('body');
  }
  expect([rows.get('t', 'asked'), rows.get('t', 'left')]).toEqual(['body', undefined]);
});

test('large documents make room sooner, and neither is a deleted one found in the generation before', () => {
  const rows = new RecentRows();
  rows.keep('t', 'first', 'body');
  for (let other = 0; other < 9_000; other += 1) rows.keep('t', String(other), 'x'.repeat(1_000));
  expect(rows.get('t', 'first')).toBeUndefined();
  expect(rows.get('t', '8999')).toHaveLength(1_000);
  const old = String(9_000 - 4_500);
  expect(rows.get('t', old)).toHaveLength(1_000);
  rows.replace('t', old, 'new');
  expect(rows.get('t', old)).toBe('new');
  rows.replace('t', old, null);
  expect(rows.get('t', old)).toBeUndefined();
});
