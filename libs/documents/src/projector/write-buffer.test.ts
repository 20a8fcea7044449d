import { expect, test } from '@jest/globals';
import type { Incoming } from './incoming.ts';
import { memoryDocuments } from '../memory/memory.ts';
import type { Collection } from '../port.ts';
import type { Projection } from '../projection.ts';
import { EventRefused, WriteBuffer } from './write-buffer.ts';

const collection: Collection = { name: 'counters', version: 1, fields: { count: 'number' } };
const projection: Projection = {
  collection,
  key: ({ stream }) => stream,
  project: (_event, before) => ({ count: Number(before?.['count'] ?? 0) + 1 }),
};

const event = (position: number): Incoming => {
  const place = { tenant: 'school_a', stream: 'counter-1', version: position, position };
  return { ...place, type: 'Counted', schema: 1, at: '2026-01-05T08:00:00.000Z', data: {} };
};

test('the first buffer of a lane reads nothing, and goes on from what was written once it is cleared, which it names beside what it writes', async () => {
  const documents = memoryDocuments();
  await documents.open(collection);
  let reads = 0;
  const counting = {
    ...documents,
    get: (...wanted: Parameters<typeof documents.get>) => {
      reads += 1;
      return documents.get(...wanted);
    },
  };
  const buffer = new WriteBuffer(counting, projection, { isFirst: true });
  await buffer.take(event(1));
  await buffer.take(event(2));
  await documents.apply(collection, 'test', 0, 0, 2, buffer.writes());
  expect(reads).toBe(0);
  buffer.clear();
  await buffer.take(event(3));
  expect(buffer.writes()).toEqual([{ tenant: 'school_a', id: 'counter-1', body: { count: 3 }, before: { count: 2 } }]);
  expect(reads).toBe(1);
});

test.each(['', 'a\0b', '\ud800'])(
  'the key %j, which no engine takes, is refused with the event that has it',
  async (id) => {
    const documents = memoryDocuments();
    await documents.open(collection);
    const buffer = new WriteBuffer(documents, { ...projection, key: ({ position }) => (position === 2 ? id : 'kept') });
    await buffer.take(event(1));
    expect(() => buffer.take(event(2))).toThrow(EventRefused);
    await buffer.take(event(3));
    expect(buffer.writes()).toEqual([{ tenant: 'school_a', id: 'kept', body: { count: 2 } }]);
  },
);
