import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { FakeClock } from '@lyceum/testkit';
import { stripeWebhookPath } from '../../payments/stripe/stripe-endpoint.ts';
import { stripeSettings } from '../../payments/stripe/stripe-settings.ts';
import { StripeServer } from '../../payments/stripe/testing/stripe-server.ts';
import { cardDataIn, knownCard, pan, spellings } from '../known-card.ts';
import { type Selling, itemIds, memberToken, startSelling } from '../selling.ts';

const secrets = { STRIPE_SECRET_KEY: 'sk_test_key', STRIPE_WEBHOOK_SECRETS: 'whsec_present' };

let stripe: StripeServer;
let shop: Selling;
let logged = '';
beforeAll(async () => {
  const clock = new FakeClock();
  stripe = await StripeServer.start(clock, secrets.STRIPE_SECRET_KEY);
  const given = stripeSettings.parse({ ...secrets, STRIPE_API_BASE: stripe.url });
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  const logger = pino({ level: 'trace' }, sink);
  shop = await startSelling({ settings: { PAYMENT_PROVIDERS: ['stripe'], ...given }, ports: { logger } });
  clock.advance(shop.clock.now() - clock.now());
});
afterAll(async () => {
  await shop.close();
  await stripe.close();
});

const guest = { as: 'anonymous', body: { email: 'ada@example.org' } } as const;
/** Operations with a body, by what a request needs to come to it. */
const written = () => {
  const { paths } = shop.started.openapi as { paths: Record<string, Record<string, { requestBody?: unknown }>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => (requestBody ? [{ path, method }] : [])),
  );
};

/** Delivers an event as Stripe signs it, with all that it knows of the card. */
async function deliver(change: (object: Record<string, unknown>) => object): Promise<number> {
  const event = JSON.parse(stripe.events.at(-1)?.body.toString() ?? '{}') as {
    data: { object: Record<string, unknown> };
  };
  const body = Buffer.from(JSON.stringify({ ...event, data: { object: change(event.data.object) } }, null, 2));
  const headers = { 'stripe-signature': stripe.sign(body, 'whsec_present'), 'content-type': 'application/json' };
  const sent = { as: 'anonymous', headers, body: body.toString() } as const;
  return (await shop.call('POST', stripeWebhookPath, sent)).status;
}

describe('the data of a card', () => {
  test('is taken by no operation: a member of a body that is named for it is refused, and told nobody', async () => {
    expect(written().length).toBeGreaterThan(6);
    for (const { path, method } of written())
      for (const extra of [
        { card: pan },
        { number: pan },
        { cvc: 'CVC-987' },
        { card: { number: pan, cvc: 'CVC-987' } },
        { payment_method: { card: { number: pan } } },
        { card_number: spellings[1] },
      ]) {
        const asked = path.replaceAll(/\{\w+\}/g, 'order_00000000-0000-7000-8000-000000000001');
        const headers = { 'idempotency-key': `card-${path}-${JSON.stringify(extra).length}` };
        const got = await shop.call(method.toUpperCase(), asked, { headers, body: extra });
        expect([path, got.status >= 400 && got.status < 500, cardDataIn(JSON.stringify(got.body))]).toEqual([
          path,
          true,
          [],
        ]);
      }
  });

  test.each(spellings.slice(0, 3))('typed as a name or an address, %s is refused in words', async (typed) => {
    for (const body of [
      { email: 'ada@example.org', name: typed },
      { email: 'ada@example.org', name: `Ada ${typed} 12/30` },
      { email: `${typed.replaceAll(' ', '.')}@example.org` },
      { email: 'ada@example.org', invoice_to: { company: typed } },
      { email: 'ada@example.org', invoice_to: { address: `Rua 1\n${typed}` } },
      { email: 'ada@example.org', invoice_to: { tax_id: typed } },
      { email: 'ada@example.org', language: `en-${typed.match(/\d{4}/g)?.join('-')}` },
    ]) {
      const got = await shop.buy(['lamps'], { as: 'anonymous', body });
      expect([got.status, got.body.error]).toEqual([422, 'validation_failed']);
      expect(got.body.details[0].message).toContain('the number of a card');
      expect(cardDataIn(JSON.stringify(got.body))).toEqual([]);
    }
  });

  test('typed where a code or an id belongs, it is answered and kept nowhere', async () => {
    const items = [{ item_type: 'course', item_id: itemIds.lamps }];
    const as = memberToken();
    await shop.call('POST', '/api/checkout/quotes', { as, body: { items, coupon_code: pan } });
    await shop.call('POST', '/api/checkout/quotes', { as, body: { items: [{ item_type: 'course', item_id: pan }] } });
    await shop.buy(['lamps'], { key: pan, body: { coupon_code: spellings[1] } });
    await shop.buy(['lamps'], { key: spellings[1] });
    await shop.call('GET', `/api/orders?q=${pan}&coupon=${pan}&member_id=${pan}`);
    await shop.call('GET', `/api/checkout/${pan}`, { as: 'anonymous', headers: { 'order-secret': pan } });
    await shop.call('GET', `/api/orders/${pan}`, { headers: { 'user-agent': pan, referer: `/${pan}` } });
    const reason = { school: 'school_1', reason: `card ${pan}` };
    const { body } = await shop.buy(['looms']);
    expect((await shop.call('POST', `/internal/orders/${body.id}/cancel`, { body: reason })).status).toBe(422);
  });

  test('told by the provider in every place that it has is read by nobody', async () => {
    const { body } = await shop.buy(['lamps'], guest);
    const session = [...stripe.books().sessions.keys()].at(-1) ?? '';
    const intent = stripe.books().pay(session);
    Object.assign(intent, knownCard, { metadata: { ...intent.metadata, note: pan } });
    const dress = (object: Record<string, unknown>) => ({
      ...object,
      ...knownCard,
      metadata: { ...(object['metadata'] as object), note: pan, card: spellings[1] },
    });
    expect(await deliver(dress)).toBe(200);
    expect((await shop.order(body.id)).status).toBe('paid');
    // Somebody has written a card where our ids are.
    for (const name of ['school', 'order_id', 'payment_id', 'by'])
      for (const value of [pan, spellings[1], `order_${pan}`]) {
        const metadata = (object: Record<string, unknown>) => ({
          ...dress(object),
          metadata: { ...(object['metadata'] as object), [name]: value },
        });
        expect([name, [200, 400].includes(await deliver(metadata))]).toEqual([name, true]);
      }
    const headers = { 'idempotency-key': 'refund-card' };
    const asked = { school: 'school_1', reason: 'asked for', amount: 900 };
    await shop.call('POST', `/internal/orders/${body.id}/refunds`, { headers, body: asked });
    await shop.orderOnce(body.id, ({ status }) => status === 'partially_refunded');
    const made = stripe.books().refund({ payment_intent: intent.id, amount: '100' });
    Object.assign(made, { ...knownCard, metadata: { refund_id: pan } });
    expect(await deliver((object) => ({ ...dress(object), metadata: { refund_id: pan } }))).toBe(200);
    await shop.settled();
  });

  test('stands in no log, no event, no document, no message and no answer', async () => {
    expect(logged.split('\n').length).toBeGreaterThan(30);
    expect(logged.split('\n').filter((line) => cardDataIn(line).length > 0)).toEqual([]);
    const stored: unknown[] = [];
    for (let lane = 0; lane < shop.log.lanes; lane += 1) stored.push(await shop.log.readLane(lane, 0, 100_000));
    expect(JSON.stringify(stored)).toContain('OrderPaid');
    expect(cardDataIn(JSON.stringify(stored))).toEqual([]);
    const read: unknown[] = [];
    for (const path of ['/api/orders?limit=100', '/api/coupons?limit=100'])
      read.push((await shop.call('GET', path)).body);
    expect(JSON.stringify(read)).toContain('partially_refunded');
    for (const { id } of (read[0] as { data: { id: string }[] }).data) read.push(await shop.order(id));
    expect(cardDataIn(JSON.stringify(read))).toEqual([]);
  });
});
