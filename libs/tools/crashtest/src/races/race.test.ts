import { expect, test } from '@jest/globals';
import { checked } from './race.ts';

const commit = {
  lane: 0,
  position: 1,
  commitId: 'one',
  prev: '',
  tenant: 'school_a',
  at: '2026-01-05T08:00:00.000Z',
  fingerprint: '',
  meta: { actor: 'test' },
  streams: [{ id: 's', before: 0, after: 1 }],
  events: [{ id: 'one.1', stream: 's', version: 1, type: 'Raced', schema: 1, data: {} }],
};
const answers = { acknowledged: ['0 1 one'], refused: ['two'], stale: [] };

test('a race is sound when what was acknowledged is stored, and what was refused is not', () => {
  expect(checked([[commit]], answers)).toEqual([]);
});

test.each([
  ['a commit that was refused and is there', { ...answers, refused: ['one'] }],
  ['a commit that was acknowledged and is not there', { ...answers, acknowledged: ['0 2 one'] }],
  ['a read that went back', { ...answers, stale: ['school_a s was read at 0 after 1'] }],
])('a race finds %s', (_, other) => {
  expect(checked([[commit]], other)).toHaveLength(1);
});
