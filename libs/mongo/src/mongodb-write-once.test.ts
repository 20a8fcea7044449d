import { expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { writeOnce } from './mongodb-write-once.ts';

interface Named {
  readonly _id: string;
  readonly name: string;
}

/** A collection that shows what it holds from the given look on, and tells a writer at once that it holds something. */
function collection(held: Named | undefined, visibleFrom: number, refusal = { code: 11_000 }) {
  const state = { looks: 0, written: undefined as Named | undefined };
  const documents = {
    collectionName: 'names',
    async findOne() {
      state.looks += 1;
      return held && state.looks >= visibleFrom ? held : null;
    },
    async insertOne(document: Named) {
      if (held) throw Object.assign(new Error('refused'), refusal);
      state.written = document;
    },
  };
  return { state, documents: documents as unknown as Collection<Named> };
}

const wanted = { _id: 'log', name: 'ours' };
const theirs = { _id: 'log', name: 'theirs' };

test('what nobody has written is written', async () => {
  const { state, documents } = collection(undefined, 1);
  expect(await writeOnce(documents, wanted)).toEqual(wanted);
  expect(state.written).toEqual(wanted);
});

test('what another process has written is given, also when it can be read only a moment after it was said to be there', async () => {
  for (const visibleFrom of [1, 2, 4]) {
    const { state, documents } = collection(theirs, visibleFrom);
    expect(await writeOnce(documents, wanted)).toEqual(theirs);
    expect([state.looks, state.written]).toEqual([visibleFrom, undefined]);
  }
});

test('another failure is thrown as it is', async () => {
  const { state, documents } = collection(theirs, 9, { code: 13 });
  await expect(writeOnce(documents, wanted)).rejects.toMatchObject({ code: 13 });
  expect(state.looks).toBe(1);
});

test('what is said to be there and never is, is an error that names it', async () => {
  const { documents } = collection(theirs, Infinity);
  await expect(writeOnce(documents, wanted)).rejects.toThrow('log of names can neither be read nor written');
});
