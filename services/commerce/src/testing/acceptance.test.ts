import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Got } from '@lyceum/testkit-service';
import { type Selling, memberToken, startSelling } from './selling.ts';

/** The scenarios of the domain's design by which commerce is accepted, one by one and by their names. */
let shop: Selling;
beforeEach(async () => void (shop = await startSelling()));
afterEach(() => shop.close());

const bought = async (name: string) => (await shop.buy(['lamps'], { as: memberToken(name) })).body;

/** What stands in the log of a school, by type. */
async function events(type: string, school = 'school_1'): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let lane = 0; lane < shop.log.lanes; lane += 1)
    for (const commit of await shop.log.readLane(lane, 0, 100_000))
      if (commit.tenant === school) found.push(...commit.events.filter((event) => event.type === type));
  return found;
}

const sum = (lines: readonly Record<string, { amount: number }>[], of: string): number =>
  lines.reduce((all, line) => all + (line[of]?.amount ?? 0), 0);

function expectExact({ body }: Got, discount: number): void {
  const { lines, subtotal, discount_total, tax_total, total } = body.order;
  expect(discount_total.amount).toBe(discount);
  expect([sum(lines, 'discount'), sum(lines, 'tax'), sum(lines, 'total')]).toEqual([
    discount_total.amount,
    tax_total.amount,
    total.amount,
  ]);
  expect(subtotal.amount - discount_total.amount).toBe(total.amount);
}

const tampered = [
  ['amount', { amount: 4_899 }],
  ['amount', { amount: 490_000 }],
  ['currency', { currency: 'JPY' }],
] as const;

describe('acceptance', () => {
  test('same payment webhook ×5: one capture, one revenue row', async () => {
    const { id, payment } = await bought('five');
    for (let times = 0; times < 5; times += 1) await shop.drive(payment.id, 'succeed', { event_id: 'evt_same' });
    const order = await shop.order(id);
    expect(order.payments.map(({ state }: { state: string }) => state)).toEqual(['captured']);
    expect(await events('OrderPaid')).toHaveLength(1);
    await shop.settled();
    const { body } = await shop.call('GET', '/api/orders?status=paid');
    expect(body.data.map((each: { id: string; total: object }) => [each.id, each.total])).toEqual([
      [id, { amount: 4_900, currency: 'USD' }],
    ]);
  });

  test.each(tampered)('amount or currency tampered: rejected (%s, %j)', async (_, claims) => {
    const { id } = await bought('tampering');
    const { body } = await shop.drive(id, 'succeed', claims);
    expect([body.status, body.refused.length]).toEqual(['pending', 1]);
    expect(await events('OrderPaid')).toEqual([]);
    expect((await shop.stuckOnce())[0]).toMatchObject({ correlation: id, error: expect.stringMatching(/refused: /) });
  });

  test('percent coupon over 3 lines in JPY and USD sums exactly', async () => {
    // 4,900 + 3,333 + 700 = 8,933 cents; 5,000 + 101 + 67 = 5,168 yen. Half a unit goes up.
    const totals = { school_1: 8_933, school_2: 5_168 };
    for (const school of ['school_1', 'school_2'] as const)
      for (const value of [1, 7, 33, 50, 67, 99]) {
        const code = `PER${value}`;
        await shop.call('POST', '/api/coupons', { school, body: { code, kind: 'percent', value } });
        const as = memberToken(`${school}_${value}`);
        const got = await shop.buy(['lamps', 'looms', 'files'], { as, school, body: { coupon_code: code } });
        expect(got.status).toBe(201);
        expectExact(got, Math.floor((totals[school] * value + 50) / 100));
      }
  });

  test('refund event delivered before payment, twice, and after a re-purchase: one refund, of the first order', async () => {
    const first = await bought('again');
    for (let times = 0; times < 2; times += 1) await shop.drive(first.payment.id, 'refund', { event_id: 'evt_back' });
    const { body } = await shop.drive(first.payment.id, 'succeed');
    expect([body.status, body.refunds.length]).toEqual(['refunded', 1]);
    const second = await bought('again');
    await shop.drive(second.id, 'succeed');
    await shop.drive(first.payment.id, 'refund', { event_id: 'evt_back' });
    expect(await shop.order(second.id)).toMatchObject({ status: 'paid', refunds: [], lines: [{ revoked: false }] });
    expect((await shop.order(first.id)).refunds).toHaveLength(1);
  });

  test('two orders for one course, cancel one: access stays, by the other', async () => {
    const paid = async () => {
      const order = await bought('both');
      await shop.drive(order.id, 'succeed');
      return order;
    };
    const [first, second] = [await paid(), await paid()];
    await shop.drive(first.id, 'refund');
    expect(await shop.order(first.id)).toMatchObject({ status: 'refunded', lines: [{ revoked: true }] });
    expect(await shop.order(second.id)).toMatchObject({ status: 'paid', lines: [{ revoked: false }] });
  });

  test('same code in two schools: each takes off what its own says', async () => {
    for (const [school, value] of [
      ['school_1', 10],
      ['school_2', 50],
    ] as const)
      await shop.call('POST', '/api/coupons', { school, body: { code: 'WELCOME', kind: 'percent', value } });
    const there = { as: memberToken('there'), school: 'school_2', body: { coupon_code: 'welcome' } };
    const here = await shop.buy(['lamps'], { as: memberToken('here'), body: { coupon_code: 'welcome' } });
    expect(here.body.order.discount_total).toEqual({ amount: 490, currency: 'USD' });
    expect((await shop.buy(['lamps'], there)).body.order.discount_total).toEqual({ amount: 2_500, currency: 'JPY' });
  });
});
