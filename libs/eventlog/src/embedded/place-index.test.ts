import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PlaceIndex, type PlaceRow } from './place-index.ts';

const anyRow = fc.tuple(
  fc.integer({ min: -(2 ** 52), max: 2 ** 52 - 1 }),
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 1, max: 2 ** 50 }),
);

const filled = (rows: readonly PlaceRow[], slot: (row: PlaceRow) => number): PlaceIndex => {
  const index = new PlaceIndex();
  for (const row of rows) index.add(slot(row), row);
  return index;
};

describe('places by number', () => {
  test('are found by slot, the newest first, and only those after a version', () => {
    const slot = ([key]: PlaceRow): number => Math.abs(key) % 3;
    fc.assert(
      fc.property(
        fc.array(anyRow),
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: -1, max: 5 }),
        (rows, of, after) => {
          const expected = rows.filter((row) => slot(row) === of && row[1] > after).map(([, , place]) => place);
          expect(filled(rows, slot).places(of, after)).toEqual(expected.toReversed());
        },
      ),
    );
  });

  test('are sorted by key, each row once, as near as their number leaves room', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 300 }), (rows) => {
        const index = filled(rows, () => 0);
        const sorted = index.sorted();
        expect(sorted.toSorted((a, b) => a - b)).toEqual(rows.map((_, row) => row));
        const keys = sorted.map((row) => index.row(row)[0]);
        keys.forEach((key, at) => at > 0 && expect(key).toBeGreaterThan(keys[at - 1]! - 1_024));
        expect(index.greatest()).toBe(Math.max(-1, ...rows.map(([key]) => key)));
      }),
    );
  });
});
