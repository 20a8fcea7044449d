import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { memberToken } from '../testing/selling.ts';
import { type SellingByStripe, startSellingByStripe } from '../testing/selling-by-stripe.ts';

let running: SellingByStripe;
beforeEach(async () => void (running = await startSellingByStripe(['manual'])));
afterEach(() => running.close());

const minute = 60_000;
const day = 24 * 60 * minute;
const asGuest = { as: 'anonymous', body: { email: 'ada@example.org' } } as const;
const statusOf = (id: string) => running.shop.call('GET', `/api/checkout/${id}`, { as: memberToken() });

describe('a webhook that never comes', () => {
  test('is made up for when the person comes back: Stripe is asked', async () => {
    const { shop, books, session, stripe } = running;
    const { body } = await shop.buy(['lamps']);
    expect((await statusOf(body.id)).body.order.status).toBe('pending');
    books.pay(session());
    expect((await statusOf(body.id)).body.order.status).toBe('paid');
    const asked = stripe.asked.length;
    await statusOf(body.id);
    // There is nothing to ask any more.
    expect(stripe.asked).toHaveLength(asked);
  });

  test('is made up for when nobody comes back, ten minutes after the payment began', async () => {
    const { shop, books, session, advance } = running;
    const { body } = await shop.buy(['lamps']);
    books.pay(session());
    await shop.settled();
    advance(11 * minute);
    expect(await shop.orderOnce(body.id, ({ status }) => status === 'paid')).toMatchObject({ status: 'paid' });
  });

  test('keeps nobody waiting whose order is read while Stripe gives no answer', async () => {
    const { shop, stripe } = running;
    const { body } = await shop.buy(['lamps']);
    stripe.troubles.push('silent', 'silent', 'silent');
    const began = performance.now();
    const read = await statusOf(body.id);
    expect([read.status, read.body.order.status]).toEqual([200, 'pending']);
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});

describe('the end of the time to pay', () => {
  test('ends the session at Stripe before the order is over', async () => {
    const { shop, books, session, advance } = running;
    const { body } = await shop.buy(['lamps']);
    await shop.settled();
    advance(31 * minute);
    const order = await shop.orderOnce(
      body.id,
      ({ status, payments }) => status === 'expired' && payments[0].state === 'failed',
    );
    expect([books.session(session()).status, order.payments]).toEqual([
      'expired',
      [expect.objectContaining({ state: 'failed' })],
    ]);
  });

  test('of an order that was canceled ends its session, and money that came goes back', async () => {
    const { shop, books, session } = running;
    const cancel = (id: string) =>
      shop.call('POST', `/internal/orders/${id}/cancel`, { body: { school: 'school_1', reason: 'asked for' } });
    const { body: unpaid } = await shop.buy(['lamps']);
    await cancel(unpaid.id);
    await shop.orderOnce(unpaid.id, ({ payments }) => payments[0].state === 'failed');
    expect(books.session(session()).status).toBe('expired');
    const { body: paid } = await shop.buy(['lamps']);
    const { id } = books.pay(session());
    await cancel(paid.id);
    await shop.orderOnce(paid.id, ({ refunds }) => refunds[0]?.state === 'returned');
    expect([...books.refunds.values()]).toMatchObject([{ payment_intent: id, amount: 4_900 }]);
  });

  test('waits for money that is on its way, with what is held for it', async () => {
    const { shop, books, session, deliver, advance } = running;
    const { body } = await shop.buy(['seats']);
    books.pay(session(), 'transfer');
    await deliver();
    const waiting = await shop.order(body.id);
    expect(waiting).toMatchObject({ status: 'pending', payments: [{ state: 'processing' }] });
    expect(Date.parse(waiting.expires_at) - Date.parse(waiting.placed_at)).toBe(14 * day);
    await shop.settled();
    advance(2 * day);
    await shop.settled();
    // Its seat is held all the time.
    for (let index = 0; index < 4; index += 1)
      expect((await shop.buy(['seats'], { as: memberToken(`seat_${index}`) })).status).toBe(201);
    expect((await shop.buy(['seats'], { as: memberToken('sixth') })).body.error).toBe('sold_out');
    expect((await statusOf(body.id)).body.order.status).toBe('pending');
  });

  test('of an order that was canceled while its money was on its way: it goes back once, though no webhook told', async () => {
    const { shop, books, session, deliver, advance } = running;
    const { body } = await shop.buy(['lamps']);
    const { id } = books.pay(session(), 'transfer');
    await deliver();
    await shop.call('POST', `/internal/orders/${body.id}/cancel`, {
      body: { school: 'school_1', reason: 'asked for' },
    });
    await shop.settled();
    advance(day + minute);
    await shop.settled();
    books.settle(session(), true);
    advance(day + minute);
    const order = await shop.orderOnce(body.id, ({ refunds }) => refunds[0]?.state === 'returned');
    expect(order).toMatchObject({ status: 'canceled', payments: [{ state: 'returned' }] });
    await deliver();
    await shop.settled();
    expect([...books.refunds.values()]).toMatchObject([{ payment_intent: id, amount: 4_900 }]);
  });

  test('counts the money that took days', async () => {
    const { shop, books, session, deliver, advance } = running;
    const { body } = await shop.buy(['lamps']);
    books.pay(session(), 'transfer');
    await deliver();
    await shop.settled();
    advance(3 * day);
    books.settle(session(), true);
    await deliver();
    expect((await shop.order(body.id)).status).toBe('paid');
  });

  test('of money that did not come leaves time to pay otherwise', async () => {
    const { shop, books, session, deliver, advance } = running;
    const { body } = await shop.buy(['lamps']);
    books.pay(session(), 'transfer');
    await deliver();
    const path = `/api/checkout/${body.id}/payments`;
    expect((await shop.call('POST', path, { as: memberToken() })).body.error).toBe('invalid_state');
    await shop.settled();
    advance(3 * day);
    books.settle(session(), false);
    await deliver();
    expect(await shop.order(body.id)).toMatchObject({ status: 'failed', payments: [{ state: 'failed' }] });
    const again = await shop.call('POST', path, { as: memberToken() });
    expect([again.status, again.body.order.status]).toEqual([201, 'pending']);
  });
});

describe('an amount that Stripe never takes', () => {
  test('is refused before anything is sold', async () => {
    const { shop, stripe } = running;
    await shop.call('POST', '/api/coupons', { body: { code: 'ALMOST', kind: 'percent', value: 99 } });
    const before = await shop.buy(['lamps']);
    const asked = stripe.asked.length;
    const body = { coupon_code: 'ALMOST', provider: 'stripe' };
    const refused = await shop.buy(['lamps'], { body });
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([
      422,
      'validation_failed',
      [{ path: 'provider', code: 'amount_not_taken', message: 'Stripe takes no amount as small as 0.49 USD' }],
    ]);
    expect(stripe.asked).toHaveLength(asked);
    // Who does not choose has it taken by the one that takes it.
    const taken = await shop.buy(['lamps'], { body: { coupon_code: 'ALMOST' } });
    expect(taken.body).toMatchObject({
      payment: { provider: 'manual' },
      order: { number: before.body.order.number + 1 },
    });
  });

  test('as only Stripe knows, fails the payment with words for operators, and the person pays otherwise', async () => {
    const { shop, stripe } = running;
    const { body } = await shop.buy(['lamps'], { body: { provider: 'manual' } });
    stripe.refusing = 'Your account cannot currently make live charges.';
    const path = `/api/checkout/${body.id}/payments`;
    const tried = await shop.call('POST', path, { as: memberToken(), body: { provider: 'stripe' } });
    expect([tried.status, tried.body.order.status, tried.body.payment]).toEqual([
      201,
      'failed',
      expect.objectContaining({ provider: 'stripe', state: 'failed', url: null }),
    ]);
    expect(JSON.stringify(tried.body)).not.toContain('live charges');
    expect(JSON.stringify(await shop.order(body.id))).toContain('live charges');
    const again = await shop.call('POST', path, { as: memberToken(), body: { provider: 'manual' } });
    expect(again.body).toMatchObject({ payment: { provider: 'manual', state: 'open' }, order: { status: 'pending' } });
  });
});

describe('an order that is canceled while its session is opened', () => {
  test('has no session that could be paid, and a repeated checkout says what it is now', async () => {
    const { shop, stripe, books, session } = running;
    stripe.meanwhile.push(async () => {
      const id = books.session(session()).metadata['order_id'] ?? '';
      await shop.call('POST', `/internal/orders/${id}/cancel`, { body: { school: 'school_1', reason: 'asked for' } });
    });
    const bought = await shop.buy(['lamps'], { key: 'canceled' });
    expect(bought.body).toMatchObject({ payment: { url: null }, order: { status: 'canceled' } });
    expect(books.session(session()).status).toBe('expired');
    const again = await shop.buy(['lamps'], { key: 'canceled' });
    expect(again.body).toMatchObject({ id: bought.body.id, order: { status: 'canceled' } });
    expect(books.sessions.size).toBe(1);
  });

  test('by another way: a repeated checkout of what was paid meanwhile says so', async () => {
    const { shop, books, session, deliver } = running;
    const first = await shop.buy(['lamps'], { ...asGuest, key: 'paid' });
    books.pay(session());
    await deliver();
    const again = await shop.buy(['lamps'], { ...asGuest, key: 'paid' });
    expect(again.body).toMatchObject({ order: { status: 'paid' }, order_secret: first.body.order_secret });
  });
});

describe('another provider for an order', () => {
  test('takes the place of a session, which nobody can pay any more', async () => {
    const { shop, books, session } = running;
    const { body } = await shop.buy(['lamps']);
    const path = `/api/checkout/${body.id}/payments`;
    const switched = await shop.call('POST', path, { as: memberToken(), body: { provider: 'manual' } });
    expect(switched.body).toMatchObject({ payment: { provider: 'manual', state: 'open' } });
    expect(books.session(session()).status).toBe('expired');
    const { expires_at, placed_at } = switched.body.order;
    expect(Date.parse(expires_at) - Date.parse(placed_at)).toBe(7 * day);
  });

  test('is not needed for a session that was paid: Stripe says so before', async () => {
    const { shop, books, session } = running;
    const { body } = await shop.buy(['lamps']);
    books.pay(session());
    const path = `/api/checkout/${body.id}/payments`;
    const switched = await shop.call('POST', path, { as: memberToken(), body: { provider: 'manual' } });
    expect(switched.body.error).toBe('invalid_state');
    expect((await shop.order(body.id)).status).toBe('paid');
  });
});

describe('what no order claims', () => {
  const dismiss = (event_id: string) =>
    running.shop.call('POST', '/internal/payments/unclaimed/dismiss', { body: { school: 'school_1', event_id } });
  const metadata = {
    school: 'school_1',
    order_id: 'order_00000000-0000-7000-8000-00000000ffff',
    payment_id: 'payment_x.1',
    by: 'session',
  };
  const price_data = { unit_amount: '5000', currency: 'usd' };

  test('is told to the operator with words, once, until it is dismissed', async () => {
    const { shop, books, deliver } = running;
    const { id } = books.openSession({ line_items: { '0': { price_data } }, metadata });
    const intent = books.pay(id);
    for (let times = 0; times < 3; times += 1) expect((await deliver()).status).toBe(200);
    const stuck = await shop.stuckOnce();
    expect(stuck).toMatchObject([
      { error: expect.stringContaining(`captured for payment_x.1 of ${metadata.order_id} (${intent.id}:captured)`) },
    ]);
    expect((await dismiss('pi_unknown')).status).toBe(404);
    expect((await dismiss(`${intent.id}:captured`)).body).toEqual({ event_id: `${intent.id}:captured`, waiting: 0 });
    const [process] = (shop.started.processes ?? []).filter(({ name }) => name === 'unclaimed-notices');
    await process?.resume('school_1', stuck[0]?.correlation ?? '');
    await shop.settled();
    await until(async () => (await process?.stuck())?.length === 0);
  });

  test('also when the account of another school says it', async () => {
    const { shop, stripe, deliver } = running;
    const { body } = await shop.buy(['lamps']);
    const foreign = stripe.books('acct_3');
    const own = { ...metadata, order_id: body.id, payment_id: body.payment.id };
    foreign.pay(foreign.openSession({ line_items: { '0': { price_data } }, metadata: own }).id);
    expect((await deliver()).status).toBe(400);
    expect(await shop.stuckOnce()).toMatchObject([
      { error: expect.stringContaining('the account acct_3 is not that of school_1') },
    ]);
    expect((await shop.order(body.id)).status).toBe('pending');
  });

  test('is kept of schools that there are, and no others', async () => {
    const { shop, books, deliver } = running;
    const { id } = books.openSession({
      line_items: { '0': { price_data } },
      metadata: { ...metadata, school: 'school_of_others' },
    });
    books.pay(id);
    expect((await deliver()).status).toBe(200);
    expect((await shop.log.load('school_of_others', ['unclaimed-notices'])).commits).toEqual([]);
  });
});

describe('a notice that is refused', () => {
  test('is dismissed by the operator, and stuck no more', async () => {
    const { shop } = running;
    const { body } = await shop.buy(['lamps']);
    const refused = await shop.call('POST', `/internal/payments/manual/${body.id}/capture`, {
      body: { school: 'school_1', event_id: 'mistaken' },
    });
    expect(refused.body.refused).toMatchObject([{ event_id: 'mistaken', dismissed: false }]);
    const [stuck] = await shop.stuckOnce();
    expect(stuck?.error).toContain('mistaken');
    const dismissed = await shop.call('POST', `/internal/orders/${body.id}/notices/dismiss`, {
      body: { school: 'school_1', event_id: 'mistaken' },
    });
    expect(dismissed.body.refused).toMatchObject([{ dismissed: true }]);
    const [process] = (shop.started.processes ?? []).filter(({ name }) => name === 'fulfilment');
    await process?.resume('school_1', body.id);
    await until(async () => (await process?.stuck())?.length === 0);
  });
});
