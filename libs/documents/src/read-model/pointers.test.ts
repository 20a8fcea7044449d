import { expect, test } from '@jest/globals';
import { memoryDocuments } from '../memory/memory.ts';
import { Pointers } from './pointers.ts';

const build = (version: number) => ({ version, build: 1, fields: {} });

/** Pointers of three read models, and how their store is read. */
async function three() {
  const documents = memoryDocuments();
  const reads: string[] = [];
  const { get, query } = documents;
  documents.get = (...asked) => (reads.push('get'), get.apply(documents, asked));
  documents.query = (...asked) => (reads.push('query'), query.apply(documents, asked));
  const pointers = await Pointers.open(documents);
  for (const [index, name] of ['one', 'two', 'three'].entries())
    await pointers.change(name, (before) => ({ ...before, live: build(index + 1) }));
  reads.length = 0;
  return { documents, pointers, reads };
}

test('pointers that are asked for in one turn are read at once, also by different readers', async () => {
  const { documents, pointers, reads } = await three();
  const other = await Pointers.open(documents);
  const found = await Promise.all([pointers.read('two'), other.read('three'), pointers.read('none')]);
  expect(found.map(({ live }) => live?.version)).toEqual([2, 3, undefined]);
  expect(reads).toEqual(['query']);
});

test('one pointer, asked for by many, is one document', async () => {
  const { pointers, reads } = await three();
  const found = await Promise.all([pointers.read('two'), pointers.read('two')]);
  expect(found.map(({ live }) => live?.version)).toEqual([2, 2]);
  expect(reads).toEqual(['get']);
});

test('what was changed before is read, not what was read before', async () => {
  const { pointers } = await three();
  const [, after] = await Promise.all([
    pointers.read('one'),
    pointers.change('one', (before) => ({ ...before, live: build(9) })).then(() => pointers.read('one')),
  ]);
  expect(after.live?.version).toBe(9);
});
