import { expect, test } from '@jest/globals';
import { type Collection, memoryDocuments } from '@lyceum/documents';
import { type Held, HeldWork } from './held-work.ts';

const collection: Collection = { name: 'duty.greeting.held', version: 1, fields: { lane: 'number' } };
const held: Held = {
  source: 'school',
  epoch: 'first',
  lane: 3,
  position: 7,
  index: 0,
  tenant: 'school_1',
  key: 'account_1',
  correlation: 'account_1@1',
  error: 'Error: no',
  since: '2026-01-05T08:00:00.000Z',
  event: null,
};
const id = JSON.stringify(['school', 'first', 3, 7, 0]);
const { epoch, ...rest } = held;

test('what is held is stored as releases before read it', async () => {
  const documents = memoryDocuments();
  const work = await HeldWork.open(documents, 'duty.greeting');
  await work.hold(held);
  expect(await documents.get(collection, '_held', id)).toEqual({ ...rest, life: epoch });
  expect(await work.has(held)).toBe(true);
});

test('what a release before has held is taken up, in its log epoch only', async () => {
  const documents = memoryDocuments();
  await documents.open(collection);
  const body = { ...rest, life: epoch };
  await documents.apply(collection, 'held', 0, 0, 0, [{ tenant: '_held', id, body }]);
  const work = await HeldWork.open(documents, 'duty.greeting');
  expect(await work.of('school', 'first', 3)).toEqual([held]);
  expect(await work.of('school', 'second', 3)).toEqual([]);
  await work.release(held);
  expect(await work.of('school', 'first', 3)).toEqual([]);
});
