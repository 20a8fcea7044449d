import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import { totalsOf } from '../money/totals.ts';
import { untaxed } from '../money/tax.ts';
import { couponDecider } from './coupon.ts';
import type { StoredFields } from './coupon.events.ts';
import { type CartLine, reductionOf } from './coupon.reduction.ts';

const at = '2026-01-05T08:00:00.000Z';
const fields: StoredFields = {
  name: 'x',
  kind: 'percent',
  value: 10,
  applies_to: 'all',
  max_redemptions: null,
  per_member_limit: null,
  min_subtotal: null,
  starts_at: null,
  ends_at: null,
  duration: 'once',
  duration_cycles: null,
};
const couponWith = (more: Partial<StoredFields>) => {
  const data = { code: 'ABC', currency: 'USD', fields: { ...fields, ...more }, created_by: 'acc_1' };
  return couponDecider.evolve(null, { type: 'CouponCreated', data }, { at, version: 1 })!;
};
const cart: readonly CartLine[] = [
  { item_type: 'course', item_id: 'course_1', subtotal: 1_000 },
  { item_type: 'digital_product', item_id: 'product_1', subtotal: 505 },
];

/** What comes off, or that the coupon does not count. */
function off(more: Partial<StoredFields>, { lines = cart, currency = 'USD', now = at } = {}): number | string {
  const found = reductionOf(couponWith(more), lines, currency, now);
  if (isRejection(found)) return found.rejected;
  const priced = lines.map(({ subtotal }) => ({ quantity: 1, unit_price: subtotal }));
  return totalsOf(priced, found, untaxed).discount_total;
}

describe('what a coupon takes off', () => {
  test('is so many per cent, half-up, or an amount, of what it is for', () => {
    const course = [{ item_type: 'course', item_id: 'course_1' }];
    expect(off({})).toBe(151);
    expect(off({ applies_to: course })).toBe(100);
    expect(off({ kind: 'amount', value: 700 })).toBe(700);
    expect(off({ kind: 'amount', value: 1_700, applies_to: course })).toBe(1_000);
  });

  test('is nothing where it is for none of the items, or for such as cost nothing', () => {
    expect(off({ applies_to: [{ item_type: 'course', item_id: 'product_1' }] })).toBe('coupon_invalid');
    expect(off({}, { lines: [{ item_type: 'course', item_id: 'course_1', subtotal: 0 }] })).toBe('coupon_invalid');
    expect(off({}, { lines: [] })).toBe('coupon_invalid');
  });

  test('is nothing below the least subtotal, of all lines before the reduction', () => {
    expect(off({ min_subtotal: 1_505 })).toBe(151);
    expect(off({ min_subtotal: 1_506 })).toBe('coupon_invalid');
  });

  test('is nothing in another currency, unless the coupon says no amount', () => {
    expect(off({}, { currency: 'JPY' })).toBe(151);
    expect(off({ kind: 'amount' }, { currency: 'JPY' })).toBe('coupon_invalid');
    expect(off({ min_subtotal: 1 }, { currency: 'JPY' })).toBe('coupon_invalid');
  });

  test('is nothing outside of its time', () => {
    expect(off({ starts_at: at, ends_at: '2026-01-05T08:00:00.001Z' })).toBe(151);
    expect(off({ starts_at: '2026-01-05T08:00:00.001Z' })).toBe('coupon_invalid');
    expect(off({ ends_at: at })).toBe('coupon_invalid');
  });
});

describe('10,000 carts', () => {
  const items = ['course_1', 'course_2', 'product_1', 'product_2'];
  const itemOf = (item_id: string) => ({
    item_type: item_id.startsWith('course') ? 'course' : 'digital_product',
    item_id,
  });
  const price = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 100_000_000 }));
  const carts = fc.array(fc.record({ item_id: fc.constantFrom(...items), subtotal: price }), {
    minLength: 1,
    maxLength: 6,
  });
  const coupons = fc.record({
    worth: fc.oneof(
      fc.record({ kind: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ kind: fc.constant('amount' as const), value: fc.integer({ min: 1, max: 200_000_000 }) }),
    ),
    named: fc.option(fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 })),
    min_subtotal: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  });

  test('come cheaper by the per cent of what the coupon is for, half-up, or by its amount, to the last unit, or not at all', () => {
    fc.assert(
      fc.property(carts, coupons, (cart, { worth, named, min_subtotal }) => {
        const lines = cart.map(({ item_id, subtotal }) => ({ ...itemOf(item_id), subtotal }));
        const applies_to = named ? named.map(itemOf) : ('all' as const);
        const found = reductionOf(couponWith({ ...worth, applies_to, min_subtotal }), lines, 'USD', at);
        const isOne = ({ item_id }: CartLine) => named?.includes(item_id) ?? true;
        const of = lines.filter(isOne).reduce((sum, { subtotal }) => sum + BigInt(subtotal), 0n);
        const whole = lines.reduce((sum, { subtotal }) => sum + subtotal, 0);
        if (isRejection(found)) return of === 0n || whole < (min_subtotal ?? 0);
        const priced = lines.map(({ subtotal }) => ({ quantity: 1, unit_price: subtotal }));
        const { lines: reduced, discount_total, subtotal, total } = totalsOf(priced, found, untaxed);
        const value = BigInt(worth.value);
        const amount = value < of ? value : of;
        const expected = worth.kind === 'percent' ? (of * value + 50n) / 100n : amount;
        return (
          whole >= (min_subtotal ?? 0) &&
          BigInt(discount_total) === expected &&
          subtotal - discount_total === total &&
          reduced.reduce((sum, { discount }) => sum + discount, 0) === discount_total &&
          reduced.every(
            ({ discount, subtotal: full }, index) =>
              Number.isSafeInteger(discount) &&
              discount >= 0 &&
              discount <= full &&
              (isOne(lines[index]!) || discount === 0),
          )
        );
      }),
      { numRuns: 10_000 },
    );
  });
});
