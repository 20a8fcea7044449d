import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commitOf, packed, recordOf, unpacked } from './mongodb-record.ts';
import type { StoredCommit } from '../storage/store.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value));
const touched = fc.record({ id: text, before: fc.nat(), after: fc.nat() });
const commit: fc.Arbitrary<StoredCommit> = fc.record({
  lane: fc.constant(3),
  position: fc.integer({ min: 1 }),
  tenant: text,
  commitId: fc.uuid(),
  prev: text,
  fingerprint: text,
  at: text,
  meta: json,
  streams: fc.array(touched, { maxLength: 3 }),
  events: json,
});

describe('the document of a commit', () => {
  test('gives back every commit, whatever text is in it', () => {
    fc.assert(fc.property(commit, (one) => expect(commitOf(3, recordOf(one))).toEqual(one)));
  });

  test('gives back every commit packed for FerretDB, line breaks in its text and its JSON included', () => {
    fc.assert(fc.property(commit, (one) => expect(unpacked(3, packed(one))).toEqual(one)));
    const lines = { ...fc.sample(commit, { numRuns: 1, seed: 1 })[0]!, tenant: 'a\nb', events: '[\n"c",\n"d"]' };
    expect(unpacked(3, packed(lines))).toEqual(lines);
  });

  test('is the same position in both ways, as text that sorts like the number', () => {
    const [few, many] = [9, 10].map((position) => ({ ...fc.sample(commit, { numRuns: 1, seed: 2 })[0]!, position }));
    expect(packed(few!)._id).toBe(recordOf(few!)._id);
    expect(packed(few!)._id < packed(many!)._id).toBe(true);
  });
});
