import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BuyerCheckouts, buyerCheckouts, replacedBy } from './buyer-checkouts.ts';

const [now, soon, later] = ['2026-01-05T08:00:00.000Z', '2026-01-05T08:40:00.000Z', '2026-01-05T09:00:00.000Z'];

const after = (...begun: readonly (readonly [order_id: string, items: readonly string[]])[]): BuyerCheckouts =>
  begun.reduce(
    (state, [order_id, items]) =>
      buyerCheckouts.evolve(
        state,
        { type: 'CheckoutBegun', data: { order_id, items: [...items], until: soon } },
        { at: now, version: 1 },
      ),
    buyerCheckouts.initial,
  );

describe('the orders of a buyer that something is held for', () => {
  test('are replaced by one with an item of theirs, as long as they live', () => {
    const state = after(['a', ['x', 'y']], ['b', ['z']]);
    expect(replacedBy(state, ['y'], now)).toEqual(['a']);
    expect(replacedBy(state, ['y', 'z'], now)).toEqual(['a', 'b']);
    expect(replacedBy(state, ['q'], now)).toEqual([]);
    expect(replacedBy(state, ['y'], later)).toEqual([]);
  });

  test('stay where they were kept beside a new one, 20 in all', () => {
    const begin = (state: BuyerCheckouts, order_id: string, kept: string[]) =>
      buyerCheckouts.evolve(
        state,
        { type: 'CheckoutBegun', data: { order_id, items: ['x'], until: soon, kept } },
        { at: now, version: 1 },
      );
    const both = begin(after(['a', ['x', 'y']], ['b', ['x']]), 'c', ['b']);
    expect(replacedBy(both, ['x'], now)).toEqual(['b', 'c']);
    let many = both;
    for (let times = 0; times < 30; times += 1)
      many = begin(
        many,
        `${times}`,
        many.map(({ order_id }) => order_id),
      );
    expect(many.map(({ order_id }) => order_id)).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 10}`));
    expect(many.at(-1)).toEqual({ order_id: '29', items: ['x'], until: soon });
  });

  test('are of each item one, and 20 in all: the oldest go first (10,000)', () => {
    const order = fc.tuple(fc.uuid(), fc.array(fc.nat({ max: 40 }).map(String), { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(order, { maxLength: 40 }), (begun) => {
        const state = after(...begun);
        const items = state.flatMap((each) => [...new Set(each.items)]);
        return state.length <= 20 && new Set(items).size === items.length && (begun.length === 0 || state.length > 0);
      }),
      { numRuns: 10_000 },
    );
  });
});
