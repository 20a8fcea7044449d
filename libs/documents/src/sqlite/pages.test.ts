import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@lyceum/sqlite';
import type { Documents, Query } from '../port.ts';
import { RecentPages } from './pages.ts';
import { sqliteDocuments } from './sqlite.ts';

const things = { name: 'things', version: 1, fields: { title: 'text' } } as const;
const page = (id: string) => ({ items: [{ id, body: {} }], more: false });
const query: Query = { limit: 10 };

describe('pages that were asked for lately', () => {
  test('are those of their tenant and their query, until something of the tenant is written', () => {
    const pages = new RecentPages();
    pages.keep('a', query, page('1'), 10);
    pages.keep('b', query, page('2'), 10);
    expect([pages.get('a', query), pages.get('b', query)]).toEqual([page('1'), page('2')]);
    expect(pages.get('a', { ...query, where: [{ field: 'title', is: 'x' }] })).toBeUndefined();
    pages.forget('a');
    expect([pages.get('a', query), pages.get('b', query)]).toEqual([undefined, page('2')]);
    pages.clear();
    expect(pages.get('b', query)).toBeUndefined();
  });

  test('make room for one another; what is asked for stays, and what is too long is not kept', () => {
    const pages = new RecentPages();
    pages.keep('long', query, page('long'), 300 * 1024);
    expect(pages.get('long', query)).toBeUndefined();
    pages.keep('hot', query, page('hot'), 200 * 1024);
    pages.keep('cold', query, page('cold'), 200 * 1024);
    for (let tenant = 0; tenant < 100; tenant += 1) {
      pages.keep(`tenant-${tenant}`, query, page('other'), 200 * 1024);
      expect(pages.get('hot', query)).toEqual(page('hot'));
    }
    expect(pages.get('cold', query)).toBeUndefined();
    pages.forget('hot');
    expect(pages.get('hot', query)).toBeUndefined();
  });
});

describe('a store that remembers pages', () => {
  let folder: string;
  let failing: boolean;
  let documents: Documents;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'));
    failing = false;
    const open = async (file: string): Promise<Database> => {
      const database = await openDatabase(file, { durable: false });
      const transaction: Database['transaction'] = (work) =>
        database.transaction(() => {
          const done = work();
          if (failing) throw new Error('the disk is full');
          return done;
        });
      return Object.assign(Object.create(database) as Database, {
        exec: (sql: string) => database.exec(sql),
        prepare: database.prepare.bind(database),
        transaction,
        close: () => database.close(),
      });
    };
    documents = await sqliteDocuments({ file: join(folder, 'documents.db'), open });
    await documents.open(things);
  });
  afterEach(async () => {
    await documents.close();
    await rm(folder, { recursive: true });
  });

  const write = (from: number, title: string | null) =>
    documents.apply(things, 'log', 0, from, from + 1, [
      { tenant: 'a', id: '1', body: title === null ? null : { title } },
    ]);
  const titles = async () => (await documents.query(things, 'a', query)).items.map(({ body }) => body['title']);

  test('shows each write at once: of a new document, of another body, of none', async () => {
    expect(await titles()).toEqual([]);
    await write(0, 'one');
    expect([await titles(), await titles()]).toEqual([['one'], ['one']]);
    await write(1, 'two');
    expect(await titles()).toEqual(['two']);
    await write(2, null);
    expect(await titles()).toEqual([]);
  });

  test('shows the same page to many, so whoever changes it is found by tests', async () => {
    await write(0, 'one');
    const [item] = (await documents.query(things, 'a', query)).items;
    expect(() => Object.assign(item!.body, { title: 'two' })).toThrow(TypeError);
    expect((await documents.query(things, 'a', query)).items[0]).toBe(item);
  });

  test('shows nothing of a write that was undone', async () => {
    await write(0, 'one');
    failing = true;
    await expect(write(1, 'two')).rejects.toThrow();
    failing = false;
    expect(await titles()).toEqual(['one']);
  });
});
