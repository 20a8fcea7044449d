import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disagreements } from '@lyceum/web';
import { orderRejections } from '../ordering/ordering.ts';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

let shop: Selling;
beforeAll(async () => void (shop = await startSelling()));
afterAll(() => shop.close());

const guest = { as: 'anonymous', body: { email: 'Ada@example.org', name: 'Ada' } } as const;
const usd = (amount: number) => ({ amount, currency: 'USD' });
const withSecret = (order_secret: string) => ({ as: 'anonymous', headers: { 'order-secret': order_secret } }) as const;

describe('a checkout', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(orderRejections)).toEqual([]));

  test('of a member places an order with its lines, its number and a payment', async () => {
    const { status, headers, body } = await shop.buy(['lamps', 'files']);
    expect([status, headers.get('location')]).toEqual([201, `/api/checkout/${body.id}`]);
    expect(body).toMatchObject({
      object: 'checkout',
      order_secret: null,
      payment: { provider: 'test', state: 'open', url: expect.stringMatching(`^https?://.+/checkout/${body.id}$`) },
      order: {
        id: body.id,
        object: 'order',
        status: 'pending',
        lines: [
          { id: `${body.id}.1`, item_type: 'course', item_id: itemIds.lamps, title: 'The lamps', total: usd(4_900) },
          { id: `${body.id}.2`, item_type: 'digital_product', item_id: itemIds.files, total: usd(700) },
        ],
        total: usd(5_600),
        placed_at: '2026-01-05T08:00:00.000Z',
        expires_at: '2026-01-05T08:30:00.000Z',
      },
    });
    expect(body.order.buyer).toBeUndefined();
    const next = await shop.buy(['lamps']);
    expect(next.body.order.number).toBe(body.order.number + 1);
  });

  test('of a guest needs an address, and answers with a secret that reads the order', async () => {
    expect((await shop.buy(['lamps'], { as: 'anonymous' })).body).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'email', code: 'missing' }],
    });
    const { body } = await shop.buy(['lamps'], guest);
    expect(body.order_secret).toMatch(/^[\w-]{43}$/);
    const path = `/api/checkout/${body.id}`;
    const read = await shop.call('GET', path, withSecret(body.order_secret));
    expect(read.body).toMatchObject({ id: body.id, order: { status: 'pending' }, order_secret: null });
    for (const as of ['anonymous', memberToken(), {}] as const)
      expect((await shop.call('GET', path, { as })).body.error).toBe('not_found');
    expect((await shop.call('GET', path, withSecret(`${body.order_secret}x`))).status).toBe(404);
    expect(await shop.order(body.id)).toMatchObject({
      buyer: { member_id: null, email: 'Ada@example.org', name: 'Ada' },
    });
  });

  test('of a member is read by the member and nobody else', async () => {
    const { body } = await shop.buy(['lamps']);
    const path = `/api/checkout/${body.id}`;
    expect((await shop.call('GET', path, { as: memberToken() })).body.id).toBe(body.id);
    expect((await shop.call('GET', path, { as: memberToken('other') })).status).toBe(404);
    expect((await shop.call('GET', path, { as: memberToken(), school: 'school_2' })).status).toBe(404);
  });

  test('is made once for an Idempotency-Key, which it needs', async () => {
    expect((await shop.buy(['lamps'], { key: null })).body).toMatchObject({ error: 'invalid_request' });
    const first = await shop.buy(['lamps'], { ...guest, key: 'once' });
    const again = await shop.buy(['lamps'], { ...guest, key: 'once' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    // Another guest who chose the same key: neither gets the other's order, nor is in the way.
    const other = await shop.buy(['lamps'], { as: 'anonymous', body: { email: 'bee@example.org' }, key: 'once' });
    expect([other.status, other.body.id === first.body.id]).toEqual([201, false]);
    expect((await shop.buy(['lamps'], { key: 'mine' })).status).toBe(201);
    expect((await shop.buy(['looms'], { key: 'mine' })).body.error).toBe('idempotency_key_reused');
    // Also when it is paid meanwhile, and the member has it.
    const own = await shop.buy(['looms'], { as: memberToken('twice'), key: 'own' });
    await shop.drive(own.body.id, 'succeed');
    await shop.grant(await shop.order(own.body.id));
    expect((await shop.buy(['looms'], { as: memberToken('twice'), key: 'own' })).body.id).toBe(own.body.id);
    expect((await shop.buy(['looms'], { as: memberToken('twice') })).body.error).toBe('already_owned');
  });

  test.each([
    ['gone', 'validation_failed', 'unknown_item'],
    ['free', 'validation_failed', 'not_for_sale'],
    ['closed', 'validation_failed', 'closed'],
    ['foreign', 'currency_mismatch', undefined],
  ] as const)('of what is %s is %s', async (name, error, code) => {
    const { body } = await shop.buy([name]);
    expect([body.error, body.details?.[0]?.code]).toEqual([error, code]);
  });

  test.each([
    ['an address of a member', { email: 'a@example.org' }, 'validation_failed'],
    ['a provider that there is not', { provider: 'manual' }, 'validation_failed'],
    ['another total than was shown', { expected_total: usd(1) }, 'price_changed'],
    ['a total in another currency', { expected_total: { amount: 4_900, currency: 'EUR' } }, 'price_changed'],
    ['a card', { card: '4242424242424242' }, 'validation_failed'],
  ])('with %s is refused', async (_, body, error) => {
    expect((await shop.buy(['lamps'], { body })).body.error).toBe(error);
  });

  test('with the total that was shown is accepted', async () => {
    expect((await shop.buy(['lamps'], { body: { expected_total: usd(4_900) } })).status).toBe(201);
  });

  test('in another school is in its currency, from number 1', async () => {
    const { body } = await shop.buy(['lamps'], { ...guest, school: 'school_2' });
    expect(body.order).toMatchObject({ number: 1, total: { amount: 5_000, currency: 'JPY' } });
  });

  test('of what costs nothing is paid at once', async () => {
    const { body } = await shop.buy(['gift']);
    expect(body).toMatchObject({ payment: null, order: { status: 'paid', total: usd(0), payments: [] } });
  });

  test('is paid again after a payment failed, with a new payment', async () => {
    const { body } = await shop.buy(['lamps'], guest);
    expect((await shop.drive(body.id, 'fail')).body.status).toBe('failed');
    const path = `/api/checkout/${body.id}/payments`;
    expect((await shop.call('POST', path, { as: 'anonymous' })).status).toBe(404);
    const again = await shop.call('POST', path, withSecret(body.order_secret));
    expect([again.status, again.body.payment, again.body.order.status]).toEqual([
      201,
      expect.objectContaining({ id: body.payment.id.replace(/1$/, '2'), state: 'open' }),
      'pending',
    ]);
    // The older session fails once more: that says nothing any more.
    expect((await shop.drive(body.payment.id, 'fail')).body.status).toBe('pending');
    expect((await shop.drive(body.id, 'succeed')).body.status).toBe('paid');
  });
});

describe('an installation in which nobody takes payments', () => {
  test('sells nothing that costs something, holds nothing for it, and gives what costs nothing', async () => {
    const unpaid = await startSelling({ settings: { NODE_ENV: 'production', RATE_LIMIT_FACTOR: 1_000 } });
    const refused = await unpaid.buy(['seats']);
    expect([refused.status, refused.body.error]).toEqual([503, 'temporarily_unavailable']);
    await unpaid.call('POST', '/api/coupons', { body: { code: 'GIFT', kind: 'percent', value: 100 } });
    const { status, body } = await unpaid.buy(['lamps'], { body: { coupon_code: 'GIFT' } });
    // The first number: what was refused has none.
    expect([status, body.order.number, body.order.status, body.payment]).toEqual([201, 1, 'paid', null]);
    await unpaid.close();
  });
});

describe('what is limited', () => {
  test('50 parallel orders for 5 seats: exactly 5, and the numbers of all orders have no gaps', async () => {
    const before = await shop.buy(['lamps']);
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => shop.buy(['seats'], { as: memberToken(`racer_${index}`) })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(all.filter(({ body }) => body.error === 'sold_out')).toHaveLength(45);
    const numbers = all.flatMap(({ body }) => body.order?.number ?? []).toSorted((one, other) => one - other);
    expect(numbers).toEqual([1, 2, 3, 4, 5].map((more) => before.body.order.number + more));
    const quoted = await shop.call('POST', '/api/checkout/quotes', {
      body: { items: [{ item_type: 'course', item_id: itemIds.seats }] },
    });
    expect(quoted.body.error).toBe('sold_out');
    // A seat of an order that is canceled is free at once.
    const [first] = all.filter(({ status }) => status === 201);
    const body = { school: 'school_1', reason: 'asked for' };
    expect((await shop.call('POST', `/internal/orders/${first!.body.id}/cancel`, { body })).body.status).toBe(
      'canceled',
    );
    expect((await shop.buy(['seats'], { as: memberToken('later') })).status).toBe(201);
  });
});

describe('a coupon', () => {
  const coupon = (body: object) => shop.call('POST', '/api/coupons', { body });
  const percent = (code: string, value: number, more: object = {}) => coupon({ code, kind: 'percent', value, ...more });

  test('takes its per cent off the lines, which add up to the order exactly', async () => {
    await percent('THIRD33', 33);
    const { body } = await shop.buy(['lamps', 'looms', 'files'], { body: { coupon_code: ' third33 ' } });
    // 33 % of 8,933 is 2,947.89.
    expect(body.order).toMatchObject({
      coupon_code: 'THIRD33',
      subtotal: usd(8_933),
      discount_total: usd(2_948),
      total: usd(5_985),
    });
    const sum = (of: string) =>
      body.order.lines.reduce((all: number, line: Record<string, { amount: number }>) => all + line[of]!.amount, 0);
    expect([sum('discount'), sum('total')]).toEqual([2_948, 5_985]);
  });

  test('of a hundred per cent leaves nothing to pay, and is redeemed at once', async () => {
    const { body: made } = await percent('GIFT100', 100);
    const { body } = await shop.buy(['lamps'], { body: { coupon_code: 'GIFT100' } });
    expect(body.order).toMatchObject({ status: 'paid', total: usd(0) });
    expect((await shop.call('GET', `/api/coupons/${made.id}`)).body).toMatchObject({ redeemed: 1, held: 0 });
  });

  test.each(['NOSUCH', '', '!', 'x'.repeat(100)])('that does not count is refused alike: “%s”', async (coupon_code) => {
    const refused = await shop.buy(['lamps'], { body: { coupon_code } });
    expect([refused.status, refused.body.error]).toEqual([409, 'coupon_invalid']);
    const quoted = await shop.call('POST', '/api/checkout/quotes', {
      as: 'anonymous',
      body: { items: [{ item_type: 'course', item_id: itemIds.lamps }], coupon_code },
    });
    expect([quoted.status, quoted.body.error_description]).toEqual([409, refused.body.error_description]);
  });

  test('of another school, that is paused, or that its buyer has used is refused alike', async () => {
    const { body: paused } = await percent('PAUSED', 10);
    await shop.call('POST', `/api/coupons/${paused.id}/pause`);
    await shop.call('POST', '/api/coupons', {
      school: 'school_2',
      body: { code: 'ELSEWHERE', kind: 'percent', value: 10 },
    });
    await percent('JUSTONCE', 10, { per_member_limit: 1 });
    const once = { body: { email: 'Once@example.org', coupon_code: 'JUSTONCE' }, as: 'anonymous' } as const;
    const first = await shop.buy(['lamps'], once);
    expect((await shop.drive(first.body.id, 'succeed')).body.status).toBe('paid');
    for (const body of [{ coupon_code: 'PAUSED' }, { coupon_code: 'ELSEWHERE' }])
      expect((await shop.buy(['lamps'], { body })).body.error).toBe('coupon_invalid');
    expect((await shop.buy(['lamps'], { ...once, body: { ...once.body, email: 'once@EXAMPLE.org' } })).body.error).toBe(
      'coupon_invalid',
    );
  });

  test('limited to 10: of 200 parallel checkouts exactly 10 have it, and all of them redeem it', async () => {
    const { body: made } = await percent('TEN', 10, { max_redemptions: 10 });
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        shop.buy(['lamps'], { as: memberToken(`ten_${index}`), body: { coupon_code: 'TEN' } }),
      ),
    );
    const had = all.filter(({ status }) => status === 201);
    expect([had.length, all.filter(({ body }) => body.error === 'coupon_invalid').length]).toEqual([10, 190]);
    const read = async () => (await shop.call('GET', `/api/coupons/${made.id}`)).body;
    expect(await read()).toMatchObject({ redeemed: 0, held: 10 });
    const paid = await Promise.all(had.map(({ body }) => shop.drive(body.id, 'succeed')));
    expect(paid.map(({ body }) => body.status)).toEqual(paid.map(() => 'paid'));
    expect(await read()).toMatchObject({ redeemed: 10, held: 0 });
    // A refund gives no use back.
    await shop.drive(had[0]!.body.id, 'refund');
    expect((await shop.buy(['lamps'], { body: { coupon_code: 'TEN' } })).body.error).toBe('coupon_invalid');
  });

  test('in yen splits to whole yen', async () => {
    await shop.call('POST', '/api/coupons', { school: 'school_2', body: { code: 'YEN', kind: 'percent', value: 33 } });
    const { body } = await shop.buy(['lamps', 'looms', 'files'], {
      as: 'anonymous',
      school: 'school_2',
      body: { email: 'a@example.org', coupon_code: 'YEN' },
    });
    expect(body.order).toMatchObject({ discount_total: { amount: 1_705, currency: 'JPY' } });
    const off = body.order.lines.map(({ discount }: { discount: { amount: number } }) => discount.amount);
    expect(off).toEqual([1_650, 33, 22]);
  });
});
