import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Incoming } from './incoming.ts';
import { memoryDocuments } from '../memory/memory.ts';
import type { Collection, Document, Documents } from '../port.ts';
import { sqliteDocuments } from '../sqlite/sqlite.ts';
import { type Folding, foldingProjection } from '../projection.ts';
import { EventRefused, WriteBuffer } from './write-buffer.ts';

const collection: Collection = { name: 'visits', version: 1, fields: { count: 'number' } };

const countOf = (body: Document | undefined): number => Number(body?.['count'] ?? 0);

/** Counts the visits of somebody, and how many people have come so often. */
function* visited(visitor: string): Folding {
  const count = countOf(yield visitor) + 1;
  const [before, after] = [`times-${count - 1}`, `times-${count}`];
  const changes = new Map<string, Document | null>([[visitor, { count }]]);
  changes.set(after, { count: countOf(yield after) + 1 });
  if (count > 1) {
    const left = countOf(yield before) - 1;
    changes.set(before, left > 0 ? { count: left } : null);
  }
  return changes;
}

const projection = foldingProjection({
  collection,
  fold: ({ type, stream }) => (type === 'Visited' ? visited(stream) : undefined),
});

const event = (position: number, stream: string, type = 'Visited'): Incoming => {
  const place = { tenant: 'school_a', stream, version: position, position };
  return { ...place, type, schema: 1, at: '2026-01-05T08:00:00.000Z', data: {} };
};

const allOf = async (documents: Documents) =>
  Object.fromEntries(
    (await documents.query(collection, 'school_a', { limit: 50 })).items.map(({ id, body }) => [id, body['count']]),
  );

/** What is stored when each event is a batch of its own. */
async function stored(documents: Documents, events: readonly Incoming[]) {
  await documents.open(collection);
  for (const [index, each] of events.entries()) {
    const buffer = new WriteBuffer(documents, projection);
    await buffer.take(each);
    await documents.apply(collection, 'test', 0, index, index + 1, buffer.writes());
  }
  return allOf(documents);
}

describe('an event that concerns several documents', () => {
  const events = ['a', 'b', 'a', 'c', 'a', 'b'].map((stream, index) => event(index + 1, stream));
  const all = { a: 3, b: 2, c: 1, 'times-1': 1, 'times-2': 1, 'times-3': 1 };

  const read = [...events, event(7, 'a', 'Left')];

  test('reads what it asks for in turn, and writes all of it', async () => {
    expect(await stored(memoryDocuments(), read)).toEqual(all);
  });

  test('does so at once where documents are in this process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-folding-'));
    const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
    try {
      expect(await stored(documents, read)).toEqual(all);
    } finally {
      await documents.close();
      await rm(folder, { recursive: true });
    }
  });

  test('leaves the same in one batch', async () => {
    const documents = memoryDocuments();
    await documents.open(collection);
    const buffer = new WriteBuffer(documents, projection, { isFirst: true });
    for (const each of events) await buffer.take(each);
    await documents.apply(collection, 'test', 0, 0, events.length, buffer.writes());
    expect(await allOf(documents)).toEqual(all);
  });

  const broken: Readonly<Record<string, () => Folding>> = {
    *'it throws after it has read'() {
      throw new Error(`${countOf(yield 'a')}`);
    },
    *'it asks for an id that no engine takes'() {
      yield '';
      return new Map();
    },
    *'it writes what it has not read'() {
      yield 'a';
      return new Map([['unread', { count: 1 }]]);
    },
    *'one of its documents contradicts the declaration'() {
      yield 'a';
      yield 'z';
      return new Map([
        ['a', { count: 9 }],
        ['z', { count: 'many' }],
      ]);
    },
  };

  test.each(Object.entries(broken))('is refused as a whole when %s', async (_why, fold) => {
    const documents = memoryDocuments();
    await documents.open(collection);
    const given = { ...projection, fold: (each: Incoming) => (each.position === 2 ? fold() : projection.fold!(each)) };
    const buffer = new WriteBuffer(documents, given);
    await buffer.take(event(1, 'a'));
    await expect(Promise.resolve().then(() => buffer.take(event(2, 'a')))).rejects.toThrow(EventRefused);
    await buffer.take(event(3, 'a'));
    const counts = buffer.writes().map(({ id, body }) => [id, body?.['count']]);
    expect(Object.fromEntries(counts)).toEqual({ a: 2, 'times-1': undefined, 'times-2': 1 });
  });
});
