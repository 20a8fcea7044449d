import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { payable, spend, unusedPart } from './amounts.ts';
import { daysBetween, periodEnd } from './period.ts';
import type { Discount } from './terms.ts';

const price = (amount: number) => ({ price: { amount, currency: 'USD' } });
const coupon = (kind: Discount['kind'], value: number, remaining_cycles: number | null = null): Discount => ({
  coupon_id: 'coupon_1',
  kind,
  value,
  remaining_cycles,
});

describe('what a period costs', () => {
  test.each([
    ['nothing off', null, 0, { discount: 0, balance_used: 0, total: 999 }],
    ['per cent off, half up', coupon('percent', 50), 0, { discount: 500, balance_used: 0, total: 499 }],
    ['an amount off', coupon('amount', 300), 0, { discount: 300, balance_used: 0, total: 699 }],
    ['more off than it costs', coupon('amount', 5_000), 200, { discount: 999, balance_used: 0, total: 0 }],
    ['a balance', null, 400, { discount: 0, balance_used: 400, total: 599 }],
    ['a balance that leaves too little to be charged', null, 979, { discount: 0, balance_used: 949, total: 50 }],
    ['a price that is too little itself', coupon('amount', 959), 20, { discount: 959, balance_used: 20, total: 20 }],
    ['a balance beyond the price', coupon('amount', 99), 1_000, { discount: 99, balance_used: 900, total: 0 }],
  ])('with %s', (_, off, balance, expected) => expect(payable(price(999), off, balance)).toMatchObject(expected));

  test('10,000 cases: price is discount, balance and payment, and none of them is below nothing', () => {
    const off = fc.option(
      fc.oneof(
        fc.integer({ min: 1, max: 100 }).map((value) => coupon('percent', value)),
        fc.nat().map((value) => coupon('amount', value)),
      ),
      { nil: null },
    );
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), off, fc.nat({ max: 1_000_000_000 }), (amount, each, balance) => {
        const { discount, balance_used, total } = payable(price(amount), each, balance);
        return (
          discount + balance_used + total === amount &&
          Math.min(discount, balance_used, total) >= 0 &&
          balance_used <= balance &&
          // Nothing is paid while there is a balance, but the least that can be charged.
          (total === 0 || balance_used === balance || total === 50) &&
          (total === 0 || total >= 50 || amount - discount < 50)
        );
      }),
      { numRuns: 10_000 },
    );
  });

  test('a coupon is spent by payments, when it is not for all of them', () => {
    expect(spend(null)).toBeNull();
    expect(spend(coupon('percent', 10))).toEqual(coupon('percent', 10));
    expect(spend(coupon('percent', 10, 2))).toEqual(coupon('percent', 10, 1));
    expect(spend(coupon('percent', 10, 1))).toBeNull();
  });
});

describe('what is not used of a period', () => {
  const june = { start: '2027-06-01T12:00:00.000Z', end: '2027-07-01T12:00:00.000Z', timezone: 'Europe/Lisbon' };

  test.each([
    ['2027-06-01T12:00:00.000Z', 3_000],
    ['2027-06-01T21:00:00.000Z', 3_000],
    ['2027-06-02T00:00:00.000Z', 2_900],
    ['2027-06-16T12:00:00.000Z', 1_500],
    ['2027-06-30T23:30:00.000Z', 0],
    ['2027-08-01T00:00:00.000Z', 0],
    ['2027-05-01T00:00:00.000Z', 3_000],
  ])('at %s is worth %i of 3000', (now, expected) => expect(unusedPart(3_000, june, now)).toBe(expected));

  test('10,000 cases: it is the share of the days, to the nearest unit; it shrinks, and ends at nothing', () => {
    const starts = fc
      .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2036, 0, 1) })
      .map((at) => new Date(at).toISOString());
    const zones = fc.constantFrom('UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Tokyo', 'Pacific/Apia');
    const values = fc.oneof(fc.nat({ max: 100_000 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(
        starts,
        zones,
        fc.constantFrom(1, 3, 12),
        values,
        fc.nat({ max: 400 }),
        (start, timezone, ...rest) => {
          const [months, value, passed] = rest;
          const period = { start, end: periodEnd(start, months, timezone), timezone };
          const now = new Date(Date.parse(start) + passed * 86_400_000).toISOString();
          const part = unusedPart(value, period, now);
          const later = unusedPart(value, period, new Date(Date.parse(now) + 86_400_000).toISOString());
          const days = daysBetween(start, period.end, timezone);
          const unused = Math.max(0, daysBetween(now, period.end, timezone));
          const off = BigInt(part) * BigInt(days) - BigInt(value) * BigInt(unused);
          const isNearest = 2n * (off < 0n ? -off : off) <= BigInt(days);
          return isNearest && part <= value && later <= part && (now < period.end || part === 0);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
