import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Selling, memberToken, startSelling } from '../testing/selling.ts';

const day = 24 * 60 * 60_000;
const instructions = 'To the school of lamps\nAccount 1234';

let shop: Selling;
beforeEach(async () => {
  const settings = {
    PAYMENT_PROVIDERS: ['manual' as const, 'test' as const],
    MANUAL_PAYMENT_INSTRUCTIONS: instructions,
  };
  shop = await startSelling({ settings });
});
afterEach(() => shop.close());

const school = 'school_1';
const capture = (named: string, more: object = {}) =>
  shop.call('POST', `/internal/payments/manual/${named}/capture`, { body: { school, ...more } });
const confirm = (order: string, refund: string, more: object = {}) =>
  shop.call('POST', `/internal/orders/${order}/refunds/${refund}/confirm`, { body: { school, ...more } });
const refund = (order: string) =>
  shop.call('POST', `/internal/orders/${order}/refunds`, {
    headers: { 'idempotency-key': `refund-${order}` },
    body: { school, reason: 'asked for' },
  });

describe('an order that is paid by a bank transfer', () => {
  test('says where to pay, what to write on it, and that there are days for it', async () => {
    const { body } = await shop.buy(['lamps']);
    expect(body.payment).toMatchObject({
      provider: 'manual',
      state: 'open',
      reference: body.payment.id.replace('payment_', ''),
      instructions,
      url: null,
    });
    expect(Date.parse(body.order.expires_at) - Date.parse(body.order.placed_at)).toBe(7 * day);
    shop.clock.advance(6 * day);
    await shop.settled();
    expect((await capture(body.id)).body.status).toBe('paid');
    const read = await shop.call('GET', `/api/checkout/${body.id}`, { as: memberToken() });
    expect(read.body.payment).toMatchObject({ state: 'captured', instructions: null });
  });

  test('holds its seat meanwhile, and for the days that banks take', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.push((await shop.buy(['seats'], { as: memberToken(`seat_${index}`) })).body.id);
    const another = () => shop.buy(['seats'], { as: memberToken('another') });
    shop.clock.advance(7 * day + 60_000);
    await shop.orderOnce(ids[0]!, ({ status }) => status === 'expired');
    expect((await another()).body.error).toBe('sold_out');
    // It was sent in time.
    shop.clock.advance(3 * day);
    expect((await capture(ids[0]!)).body.status).toBe('paid');
    shop.clock.advance(day);
    expect((await another()).status).toBe(201);
  });

  test('is found by what the bank writes', async () => {
    const { body } = await shop.buy(['lamps']);
    expect((await capture(body.payment.reference.toUpperCase())).body).toMatchObject({ id: body.id, status: 'paid' });
    expect((await capture('0195A3C2-7D10-7ABC-8DEF-0123456789AB.1')).status).toBe(404);
  });

  test('is paid once: a second transfer is told to the operator, until it is dismissed', async () => {
    const { body } = await shop.buy(['lamps']);
    await capture(body.id, { event_id: 'bank_1' });
    expect((await capture(body.id)).body).toMatchObject({ status: 'paid', refused: [] });
    const { body: second } = await capture(body.payment.reference, { event_id: 'bank_2' });
    expect(second).toMatchObject({ status: 'paid', refused: [{ event_id: 'bank_2' }] });
    const [stuck] = await shop.stuckOnce();
    expect(stuck).toMatchObject({ correlation: body.id, error: expect.stringContaining('Paid already, by bank_1') });
    const dismissed = await shop.call('POST', `/internal/orders/${body.id}/notices/dismiss`, {
      body: { school, event_id: 'bank_2' },
    });
    expect(dismissed.status).toBe(200);
  });

  test('is paid back once the operator says that the money has gone', async () => {
    const { body } = await shop.buy(['lamps']);
    await capture(body.id);
    const { body: asked } = await refund(body.id);
    const [{ id }] = asked.refunds;
    await shop.settled();
    expect(await shop.order(body.id)).toMatchObject({ status: 'paid', refunds: [{ state: 'requested' }] });
    expect((await confirm(body.id, 'refund_unknown')).status).toBe(404);
    expect((await confirm(body.id, id, { school: 'school_2' })).status).toBe(404);
    for (let times = 0; times < 2; times += 1)
      expect((await confirm(body.id, id)).body).toMatchObject({ status: 'refunded', refunds: [{ state: 'done' }] });
  });

  test('of which the money came too late goes back when the operator says so, and not before', async () => {
    const { body } = await shop.buy(['lamps']);
    shop.clock.advance(12 * day);
    await shop.orderOnce(body.id, ({ status }) => status === 'expired');
    const late = await capture(body.id);
    expect(late.body).toMatchObject({ status: 'expired', refunds: [{ state: 'returning' }] });
    await shop.settled();
    expect((await shop.order(body.id)).refunds).toMatchObject([{ state: 'returning' }]);
    const { body: gone } = await confirm(body.id, late.body.refunds[0].id);
    expect(gone).toMatchObject({ refunds: [{ state: 'returned' }], payments: [{ state: 'returned' }] });
  });

  test('is confirmed for payments by a transfer only', async () => {
    const { body } = await shop.buy(['lamps'], { body: { provider: 'test' } });
    await shop.drive(body.id, 'succeed');
    const { body: asked } = await refund(body.id);
    const refused = await confirm(body.id, asked.refunds[0].id);
    expect(refused.body.error).toBe('invalid_state');
  });
});

describe('another payment by another provider', () => {
  const again = (id: string, provider?: string) =>
    shop.call('POST', `/api/checkout/${id}/payments`, {
      as: memberToken(),
      ...(provider === undefined ? {} : { body: { provider } }),
    });

  test('makes the time to pay longer, with the seat that is held; never shorter', async () => {
    const { body } = await shop.buy(['seats'], { body: { provider: 'test' } });
    const short = Date.parse(body.order.expires_at);
    const { body: switched } = await again(body.id, 'manual');
    expect(Date.parse(switched.order.expires_at) - Date.parse(body.order.placed_at)).toBe(7 * day);
    expect(Date.parse(switched.order.expires_at)).toBeGreaterThan(short);
    const { body: back } = await again(body.id, 'test');
    expect(back.order.expires_at).toBe(switched.order.expires_at);
    for (let index = 0; index < 4; index += 1)
      expect((await shop.buy(['seats'], { as: memberToken(`seat_${index}`) })).status).toBe(201);
    shop.clock.advance(2 * day);
    await shop.settled();
    // Both payments are there: the transfer was on its way when the person paid otherwise.
    expect((await shop.drive(back.payment.id, 'succeed')).body.status).toBe('paid');
    const transfer = await capture(switched.payment.id);
    expect(transfer.body).toMatchObject({ status: 'paid', refunds: [{ state: 'returning' }] });
  });

  test('leaves the transfer to be confirmed by the order: what stands there is a transfer', async () => {
    const { body } = await shop.buy(['lamps']);
    await again(body.id, 'test');
    const transfer = await capture(body.id);
    expect(transfer.body).toMatchObject({ status: 'paid', refused: [] });
    expect(transfer.body.payments.map((each: { state: string }) => each.state)).toEqual(['captured', 'open']);
  });

  test('keeps who a guest is for as long as the guest may pay', async () => {
    await shop.close();
    shop = await startSelling({ settings: { PAYMENT_PROVIDERS: ['test', 'manual'], MANUAL_PAYMENT_DAYS: 60 } });
    const { body } = await shop.buy(['lamps'], { as: 'anonymous', body: { email: 'slow@example.org' } });
    const switched = await shop.call('POST', `/api/checkout/${body.id}/payments`, {
      as: 'anonymous',
      headers: { 'order-secret': body.order_secret },
      body: { provider: 'manual' },
    });
    expect(switched.status).toBe(201);
    await shop.settled();
    shop.clock.advance(45 * day);
    await shop.settled();
    expect((await capture(body.id)).body.status).toBe('paid');
    expect(await shop.orderOnce(body.id, ({ buyer }) => buyer.member_id !== null)).toMatchObject({ status: 'paid' });
  });

  test('is the same when nothing else is asked for, and one that there is not is refused', async () => {
    const { body } = await shop.buy(['lamps']);
    expect((await again(body.id)).body.payment.id).toBe(body.payment.id);
    expect((await again(body.id, 'stripe')).body).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'provider', code: 'unknown_provider' }],
    });
    expect((await again(body.id, 'barter')).body.error).toBe('validation_failed');
  });
});
