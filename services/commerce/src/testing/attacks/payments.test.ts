import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fold } from '@lyceum/eventlog';
import { request } from 'node:http';
import { FakeClock, type Listener, listen } from '@lyceum/testkit';
import { stripeWebhookPath } from '../../payments/stripe/stripe-endpoint.ts';
import { stripeSettings } from '../../payments/stripe/stripe-settings.ts';
import { StripeServer } from '../../payments/stripe/testing/stripe-server.ts';
import { unclaimedDecider, unclaimedStream } from '../../unclaimed/unclaimed.ts';
import { type Selling, memberToken, startSelling } from '../selling.ts';

/** What somebody tries who wants to have something without paying, or to have others pay. */
const secrets = { STRIPE_SECRET_KEY: 'sk_test_key', STRIPE_WEBHOOK_SECRETS: 'whsec_present' };

let stripe: StripeServer;
let shop: Selling;
let front: Listener;
beforeEach(async () => {
  const clock = new FakeClock();
  stripe = await StripeServer.start(clock, secrets.STRIPE_SECRET_KEY);
  const given = stripeSettings.parse({ ...secrets, STRIPE_API_BASE: stripe.url, STRIPE_ACCOUNTS: 'school_2=acct_2' });
  const settings = { PAYMENT_PROVIDERS: ['stripe' as const, 'test' as const], RATE_LIMIT_FACTOR: 1_000, ...given };
  shop = await startSelling({ settings });
  clock.advance(shop.clock.now() - clock.now());
  front = await listen(shop.started.app);
});
afterEach(async () => {
  await front.close();
  await shop.close();
  await stripe.close();
});

const deliver = (body: Buffer | string, signature: string, school = 'school_1') =>
  shop.call('POST', stripeWebhookPath, {
    as: 'anonymous',
    school,
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
    body: body.toString(),
  });
const signed = (body: Buffer | string, secret = 'whsec_present', at?: number) =>
  stripe.sign(Buffer.from(body), secret, at);
const last = () => stripe.events.at(-1)?.body ?? Buffer.alloc(0);
const seconds = () => Math.floor(shop.clock.now() / 1_000);

/** An order that Stripe says is paid; what it says is not delivered yet. */
async function payable(as = memberToken()) {
  const { body } = await shop.buy(['lamps'], { as });
  stripe.books().pay([...stripe.books().sessions.keys()].at(-1) ?? '');
  return { id: String(body.id), told: last() };
}

describe('a webhook', () => {
  test('that is forged pays nothing: no signature, one of another secret, of other bytes, or in another scheme', async () => {
    const { id, told } = await payable();
    const at = seconds();
    const good = signed(told);
    const [, mac = ''] = /v1=(\w+)/.exec(good) ?? [];
    const forged = [
      '',
      'v1=',
      `t=${at}`,
      signed(told, 'whsec_guessed'),
      signed(told, ''),
      signed(`${told.toString()} `),
      `t=${at},v0=${mac}`,
      `t=${at + 1},v1=${mac}`,
      `t=NaN,v1=${mac}`,
      `v1=${mac}`,
      `t=${at},v1=${'0'.repeat(64)}`,
      `t=${at},v1=${mac.slice(0, 32)}`,
      `t=${at},v1=${'0'.repeat(64)},`.repeat(50),
    ];
    for (const signature of forged) {
      const got = await deliver(told, signature);
      expect([signature.slice(0, 40), got.status, got.body.error]).toEqual([
        signature.slice(0, 40),
        401,
        'invalid_client',
      ]);
    }
    expect((await shop.order(id)).status).toBe('pending');
    expect((await deliver(told, good)).status).toBe(200);
    expect((await shop.order(id)).status).toBe('paid');
  });

  test('that is old is refused with the signature that was right then', async () => {
    const { id, told } = await payable();
    for (const off of [-301, -86_400, -1_000_000_000])
      expect([off, (await deliver(told, signed(told, 'whsec_present', seconds() + off))).status]).toEqual([off, 401]);
    expect((await shop.order(id)).status).toBe('pending');
  });

  test('that is replayed in another school, or a hundred times, counts once and where its order is', async () => {
    const { id, told } = await payable();
    const signature = signed(told);
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, index) => deliver(told, signature, index % 2 === 0 ? 'school_1' : 'school_2')),
    );
    expect(all.filter(({ status }) => status !== 200)).toEqual([]);
    const { commits } = await shop.log.load('school_1', [id]);
    const types = commits.flatMap(({ events }) => events).filter(({ stream }) => stream === id);
    expect(types.filter(({ type }) => type === 'OrderPaid')).toHaveLength(1);
    await shop.settled();
    expect((await shop.call('GET', '/api/orders', { school: 'school_2' })).body.data).toEqual([]);
  });

  test('of another account is refused, whatever its metadata say, also with the right signature', async () => {
    const { body } = await shop.buy(['lamps']);
    const ours = { school: 'school_1', order_id: body.id, payment_id: body.payment.id, by: 'session' };
    const foreign = stripe.books('acct_of_somebody');
    const price_data = { unit_amount: '4900', currency: 'usd' };
    foreign.pay(foreign.openSession({ line_items: { '0': { price_data } }, metadata: ours }).id);
    expect((await deliver(last(), signed(last()))).status).toBe(400);
    expect((await shop.order(body.id)).status).toBe('pending');
  });

  test('of the account of one school fills no queue of another', async () => {
    const { body } = await shop.buy(['lamps']);
    const ours = { school: 'school_1', order_id: body.id, payment_id: body.payment.id, by: 'session' };
    const own = stripe.books('acct_2');
    const price_data = { unit_amount: '4900', currency: 'usd' };
    const waiting = async (school: string) => {
      const { state } = await fold(shop.log, unclaimedDecider, school, unclaimedStream);
      return state.waiting.length;
    };
    const before = await waiting('school_1');
    for (let times = 0; times < 3; times += 1) {
      own.pay(own.openSession({ line_items: { '0': { price_data } }, metadata: ours }).id);
      expect((await deliver(last(), signed(last()))).status).toBe(400);
    }
    expect([await waiting('school_1'), await waiting('school_2')]).toEqual([before, 3]);
  });

  test('of another payment pays no order: the session of a cheap one with the name of a dear one', async () => {
    const dear = (await shop.buy(['lamps'])).body;
    // Whoever may write metadata at Stripe, or a fault of ours: a session that is not the one of the payment.
    const books = stripe.books();
    const price_data = { unit_amount: '4900', currency: 'usd' };
    const ours = { school: 'school_1', order_id: dear.id, payment_id: dear.payment.id, by: 'session' };
    for (const [unit_amount, currency] of [
      ['50', 'usd'],
      ['4900', 'eur'],
      ['490000', 'jpy'],
    ] as const) {
      const session = books.openSession({
        line_items: { '0': { price_data: { unit_amount, currency } } },
        metadata: ours,
      });
      books.pay(session.id);
      expect((await deliver(last(), signed(last()))).status).toBe(200);
    }
    books.pay(books.openSession({ line_items: { '0': { price_data } }, metadata: ours }).id);
    expect((await deliver(last(), signed(last()))).status).toBe(200);
    const order = await shop.order(dear.id);
    expect([order.status, order.refused.length]).toEqual(['pending', 4]);
    expect(await shop.stuckOnce()).toEqual(expect.arrayContaining([expect.objectContaining({ correlation: dear.id })]));
  });

  test('that is no event, or one of a shape that nobody knows, is 400 or passed over, never a fault', async () => {
    const event = JSON.parse(last().toString() || '{}') as object;
    const about = (type: string, object: unknown) => ({ ...event, id: 'evt_x', type, created: 1, data: { object } });
    const bodies = [
      'null',
      '[]',
      '{',
      '"x"',
      '{"id":1}',
      JSON.stringify(about('checkout.session.completed', null)),
      JSON.stringify(about('checkout.session.completed', { object: 'checkout.session' })),
      JSON.stringify(about('charge.dispute.created', { object: 'dispute', payment_intent: { id: {} } })),
      JSON.stringify(about('refund.created', { object: 'refund', id: 're_1', metadata: { school: ['x'] } })),
      JSON.stringify(about('payment_intent.succeeded', { object: 'payment_intent', amount: -1 })),
      JSON.stringify(about('customer.created', { object: 'customer' })),
    ];
    for (const body of bodies) {
      const { status } = await deliver(body, signed(body));
      expect([body.slice(0, 60), [200, 400, 401].includes(status)]).toEqual([body.slice(0, 60), true]);
    }
  });

  test('that is huge is cut off, one that is slow holds nobody up', async () => {
    const { told } = await payable();
    const huge = Buffer.alloc(300_000, ' ');
    expect((await deliver(huge, signed(huge))).status).toBe(413);
    const slow = Array.from({ length: 40 }, () => {
      const asked = request({
        port: front.port,
        host: '127.0.0.1',
        method: 'POST',
        path: stripeWebhookPath,
        headers: { 'x-school-id': 'school_1', 'content-length': 10_000, 'stripe-signature': 't=1,v1=0' },
      });
      asked.on('error', () => undefined);
      asked.write('{');
      return asked;
    });
    const began = performance.now();
    expect((await deliver(told, signed(told))).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(2_000);
    for (const each of slow) each.destroy();
  });

  test('says nothing to its sender about orders: the answer is the same for one that there is and one that there is not', async () => {
    const { told } = await payable();
    const known = await deliver(told, signed(told));
    const other = told.toString().replaceAll(/order_[0-9a-f-]{36}/g, 'order_00000000-0000-7000-8000-00000000ffff');
    const unknown = await deliver(other, signed(other));
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  });
});

describe('money that goes back', () => {
  const refund = (id: string, key: string, body: object = {}) =>
    shop.call('POST', `/internal/orders/${id}/refunds`, {
      headers: { 'idempotency-key': key },
      body: { school: 'school_1', reason: 'asked for', ...body },
    });

  test('is never more than came, however many ask at once', async () => {
    const { id, told } = await payable();
    await deliver(told, signed(told));
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refund(id, `r-${index}`, { amount: 1_000 })),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(4);
    await shop.orderOnce(id, ({ refunds }) => refunds.every(({ state }: { state: string }) => state === 'done'));
    const back = [...stripe.books().refunds.values()].reduce((sum, { amount }) => sum + amount, 0);
    expect(back).toBe(4_000);
  });

  test.each([0, -1, 0.5, 4_901, 2 ** 53, '100', null])('of %p is refused', async (amount) => {
    const { id, told } = await payable();
    await deliver(told, signed(told));
    expect((await refund(id, 'r', { amount })).status).toBe(422);
    expect(stripe.books().refunds.size).toBe(0);
  });

  test('of an order of another school is not found', async () => {
    const { id, told } = await payable();
    await deliver(told, signed(told));
    expect((await refund(id, 'r', { school: 'school_2' })).status).toBe(404);
  });
});

describe('the payments of tests', () => {
  let production: Selling;
  beforeAll(async () => {
    const stripes = stripeSettings.parse({ ...secrets, STRIPE_API_BASE: 'http://127.0.0.1:1' });
    const given = { ...stripes, MANUAL_PAYMENT_INSTRUCTIONS: 'To the account of the school' };
    const settings = { NODE_ENV: 'production', PAYMENT_PROVIDERS: ['manual' as const], ...given };
    production = await startSelling({ settings });
  });
  afterAll(() => production.close());

  test('pay nothing in production: neither by choice of the buyer, nor by the operator’s calls', async () => {
    expect((await production.buy(['lamps'], { body: { provider: 'test' } })).body.error).toBe('validation_failed');
    const { body } = await production.buy(['looms']);
    expect(body.payment.provider).toBe('manual');
    for (const id of [body.id, body.payment.id]) await production.drive(id, 'succeed');
    expect((await production.order(body.id)).status).toBe('pending');
  });

  test('pay no order of another provider, where both are offered', async () => {
    const { body } = await shop.buy(['lamps'], { body: { provider: 'stripe' } });
    const driven = await shop.drive(body.id, 'succeed');
    expect([driven.body.status, driven.body.refused.length]).toEqual(['pending', 1]);
  });
});

describe('the code of a coupon', () => {
  const create = (code: string, more: object = {}) =>
    shop.call('POST', '/api/coupons', { body: { code, kind: 'percent', value: 10, ...more } });
  const headersOf = (headers: Headers) =>
    [...headers].map(([name]) => name).filter((name) => !/^(date|ratelimit|x-request-id|content-length)/.test(name));

  test('is no oracle: unknown, expired, not yet, paused, used up, for something else: one answer to all', async () => {
    await create('EXPIRED', { ends_at: '2020-01-01T00:00:00Z' });
    await create('LATER', { starts_at: '2099-01-01T00:00:00Z' });
    const paused = (await create('PAUSED')).body.id;
    await shop.call('POST', `/api/coupons/${paused}/pause`);
    await create('DEAR', { min_subtotal: 1_000_000 });
    await create('USEDUP', { max_redemptions: 1 });
    const used = await shop.buy(['looms'], {
      as: memberToken('first'),
      body: { coupon_code: 'USEDUP', provider: 'test' },
    });
    expect((await shop.drive(used.body.id, 'succeed')).body.status).toBe('paid');
    await create('ELSEWHERE', { applies_to: [{ item_type: 'course', item_id: 'course_paid' }] });
    const codes = ['NOBODYHASIT', 'EXPIRED', 'LATER', 'PAUSED', 'DEAR', 'USEDUP', 'ELSEWHERE', '', '%', '🎁'];
    const answers: string[] = [];
    for (const path of ['/api/checkout/quotes', '/api/checkout'])
      for (const coupon_code of codes) {
        const items = [{ item_type: 'course', item_id: 'course_00000000-0000-7000-8000-000000000001' }];
        const headers = path === '/api/checkout' ? { 'idempotency-key': `oracle-${answers.length}` } : {};
        const got = await shop.call('POST', path, {
          as: memberToken('guesser'),
          headers,
          body: { items, coupon_code },
        });
        const { request_id: _, ...body } = got.body;
        answers.push(JSON.stringify([got.status, body, headersOf(got.headers)]));
      }
    const alike = (some: readonly string[]) => expect(some).toEqual(some.map(() => some[0]));
    alike(answers.slice(0, codes.length));
    alike(answers.slice(codes.length));
    expect(answers[0]).toContain('coupon_invalid');
  });

  test('of one school is none at another', async () => {
    await create('OURSONLY');
    const got = await shop.buy(['lamps'], { school: 'school_2', body: { coupon_code: 'OURSONLY' } });
    expect(got.body.error).toBe('coupon_invalid');
  });

  test('cannot be guessed by the thousand: quotes and checkouts of an address count together', async () => {
    const slow = await startSelling({ settings: { RATE_LIMIT_FACTOR: 1 } });
    try {
      const statuses: number[] = [];
      for (let index = 0; index < 30; index += 1) {
        const coupon_code = `GUESS${index}`;
        const items = [{ item_type: 'course', item_id: 'course_00000000-0000-7000-8000-000000000001' }];
        const as = memberToken(`guesser_${index}`);
        // What a client says of its address is not taken from it.
        const headers = { 'x-forwarded-for': `203.0.113.${index}`, 'idempotency-key': `guess-${index}` };
        const path = index % 2 === 0 ? '/api/checkout/quotes' : '/api/checkout';
        statuses.push((await slow.call('POST', path, { as, headers, body: { items, coupon_code } })).status);
      }
      expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 409));
      expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
    } finally {
      await slow.close();
    }
  });
});
