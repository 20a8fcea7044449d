import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ToldFact, course, coupon, on, order, startAnalytics } from '../testing.ts';
import { type SaleLine, givenBack, grossOf, leftOf, netBetween, sharesOf } from './sale.ts';

async function rowsOf(path: string, facts: readonly ToldFact[], now?: string) {
  const service = await startAnalytics({ facts, ...(now === undefined ? {} : { now }) });
  try {
    return await service.rows(path);
  } finally {
    await service.close();
  }
}

const march = 'from=2026-03-01&to=2026-03-04';

describe('revenue', () => {
  const first = order('order_1', [
    { of: 1, total: 12_300, tax: 2_300 },
    { of: 2, total: 6_150, tax: 1_150 },
  ]);
  const second = order('order_2', [{ of: 1, total: 2_460, tax: 460 }]);
  const free = order('order_3', [{ of: 1, total: 0 }]);

  test('worked example: gross is what was paid without tax on its day, refunds are on theirs, net is the difference', async () => {
    const facts = [
      first.placed(on('03-01', '10:00')),
      second.placed(on('03-01', '11:00')),
      free.placed(on('03-01', '11:30')),
      first.paid(on('03-01', '12:00')),
      free.paid(on('03-01', '12:00')),
      second.paid(on('03-02', '09:00')),
      // All of the second course, and half of what the order of the other day cost.
      first.refunded(on('03-03'), 'refund_1', 6_150, [1]),
      second.refunded(on('03-03'), 'refund_2', 1_230),
    ];
    const common = { course_id: null, currency: 'USD' };
    expect(await rowsOf(`revenue?${march}`, facts)).toEqual([
      {
        date: '2026-03-01',
        ...common,
        orders: 1,
        gross: 15_000,
        refunds: 0,
        net: 15_000,
        average_order: 15_000,
        placed: 2,
        converted: 2,
        conversion_bp: 10_000,
      },
      {
        date: '2026-03-02',
        ...common,
        orders: 1,
        gross: 2_000,
        refunds: 0,
        net: 2_000,
        average_order: 2_000,
        placed: 0,
        converted: 0,
        conversion_bp: null,
      },
      {
        date: '2026-03-03',
        ...common,
        orders: 0,
        gross: 0,
        refunds: 6_000,
        net: -6_000,
        average_order: null,
        placed: 0,
        converted: 0,
        conversion_bp: null,
      },
    ]);
    const [ofCourse] = await rowsOf(`revenue?${march}&interval=month&course_id=${course(1)}`, facts);
    expect(ofCourse).toMatchObject({
      date: '2026-03-01',
      course_id: course(1),
      orders: 2,
      gross: 12_000,
      refunds: 1_000,
      average_order: 6_000,
    });
  });

  test('worked example: of three placed orders one is paid in a day, one later: a third is converted, once a day has passed', async () => {
    const orders = ['a', 'b', 'c'].map((name) => order(`order_${name}`, [{ of: 1, total: 1_000 }]));
    const facts = [
      ...orders.map((each) => each.placed(on('03-01', '23:00'))),
      orders[0]!.paid(on('03-02', '23:00')),
      orders[1]!.paid(on('03-02', '23:01')),
      order('order_r', [{ total: 500 }], { source: 'renewal' }).placed(on('03-01', '23:30')),
    ];
    const day = 'from=2026-03-01&to=2026-03-02';
    expect((await rowsOf(`revenue?${day}`, facts, on('03-02', '23:59')))[0]).toMatchObject({
      placed: 3,
      converted: null,
      conversion_bp: null,
    });
    expect((await rowsOf(`revenue?${day}`, facts, on('03-03', '00:00')))[0]).toMatchObject({
      placed: 3,
      converted: 1,
      conversion_bp: 3_333,
    });
  });

  test('a lost dispute is a refund of its day, a refund that failed comes back on its own; what is told twice counts once', async () => {
    const facts = [
      first.placed(on('03-01', '10:00')),
      first.paid(on('03-01', '12:00')),
      first.paid(on('03-01', '12:00')),
      first.refunded(on('03-01', '13:00'), 'refund_1', 6_150, [1]),
      first.refunded(on('03-01', '13:00'), 'refund_1', 6_150, [1]),
      first.reversed(on('03-02', '13:00'), 'refund_1', 6_150),
      first.reversed(on('03-02', '13:00'), 'refund_1', 6_150),
      first.disputed(on('03-02', '14:00'), 18_450),
      first.resolved(on('03-03', '14:00'), false),
    ];
    const rows = await rowsOf(`revenue?${march}`, facts);
    expect(rows.map(({ gross, refunds }) => [gross, refunds])).toEqual([
      [15_000, 5_000],
      [0, -5_000],
      [0, 15_000],
    ]);
    const won = await rowsOf(`revenue?${march}&interval=month`, [
      ...facts.slice(0, 8),
      first.resolved(on('03-03'), true),
    ]);
    expect(won[0]).toMatchObject({ gross: 15_000, refunds: 0 });
  });

  test('currencies are never mixed: each has rows of its own', async () => {
    const yen = order('order_y', [{ of: 1, total: 900 }], { currency: 'JPY' });
    const facts = [
      second.placed(on('03-01')),
      second.paid(on('03-01')),
      yen.placed(on('03-02')),
      yen.paid(on('03-02')),
    ];
    const rows = await rowsOf(`revenue?${march}&interval=week`, facts);
    expect(rows.map(({ date, currency, gross }) => [date, currency, gross])).toEqual([
      ['2026-02-23', 'JPY', 0],
      ['2026-02-23', 'USD', 2_000],
      ['2026-03-02', 'JPY', 900],
      ['2026-03-02', 'USD', 0],
    ]);
  });

  test('worked example: a coupon has its redemptions, what it took off, and what orders with it brought in the end', async () => {
    const reduced = order('order_c', [{ of: 1, total: 1_230, tax: 230 }], { coupon_id: coupon(1) });
    const other = order('order_d', [{ of: 1, total: 500 }], { coupon_id: coupon(2) });
    const facts = [
      reduced.placed(on('03-01')),
      other.placed(on('03-01')),
      reduced.paid(on('03-01')),
      reduced.redeemed(on('03-01'), 300),
      other.paid(on('03-02')),
      other.redeemed(on('03-02'), 100),
      reduced.refunded(on('03-03'), 'refund_1', 615),
    ];
    const month = 'from=2026-03-01&to=2026-04-01&interval=month';
    const common = { date: '2026-03-01', currency: 'USD' };
    expect(await rowsOf(`coupons?${month}`, facts)).toEqual([
      { ...common, coupon_id: null, redemptions: 2, discount: 400, gross: 1_500, refunds: 500, net: 1_000 },
    ]);
    expect(await rowsOf(`coupons?${month}&coupon_id=${coupon(1)}`, facts)).toEqual([
      { ...common, coupon_id: coupon(1), redemptions: 1, discount: 300, gross: 1_000, refunds: 500, net: 500 },
    ]);
  });
});

test('however a sale is paid back, all of it is exactly what it brought, and no line gives more than it has', () => {
  const line = fc.record({ total: fc.integer({ min: 0, max: 100_000 }), part: fc.integer({ min: 0, max: 100 }) });
  const refund = fc.record({
    amount: fc.integer({ min: 0, max: 150_000 }),
    taken: fc.array(fc.integer({ min: 0, max: 4 })),
  });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.array(refund, { maxLength: 6 }),
      (given, refunds) => {
        const sold = given.map(({ total, part }, index): SaleLine => {
          const tax = Math.floor((total * part) / 100);
          return { line_id: `${index}`, item_type: 'course', item_id: `${index}`, total, tax, back: 0 };
        });
        let [lines, net] = [sold as readonly SaleLine[], 0];
        for (const { amount, taken } of [...refunds, { amount: Infinity, taken: [] }]) {
          const wanted = Math.min(amount, leftOf(lines));
          const parts = sharesOf(lines, wanted, new Set(taken.map(String)));
          const after = givenBack(lines, parts);
          expect(parts.reduce((sum, part) => sum + part, 0)).toBe(wanted);
          for (const [index, { total, back }] of after.entries()) {
            expect(back).toBeLessThanOrEqual(total);
            net += netBetween(lines[index]!, after[index]!);
          }
          lines = after;
        }
        expect(net).toBe(sold.reduce((sum, each) => sum + grossOf(each), 0));
      },
    ),
  );
});
