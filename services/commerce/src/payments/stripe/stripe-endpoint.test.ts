import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listener, listen } from '@lyceum/testkit';
import { mount } from '@lyceum/web';
import { type Commerce, startCommerce } from '../../testing.ts';
import type { PaymentNotice } from '../payment-provider.ts';
import { stripeWebhookPath, stripeWebhooks } from './stripe-endpoint.ts';
import { type StripeUnderTest, stripeUnderTest, wanted } from './testing/stripe-under-test.ts';

let commerce: Commerce;
beforeAll(async () => void (commerce = await startCommerce()));
afterAll(() => commerce.close());

let stripe: StripeUnderTest;
let web: Listener;
let taken: PaymentNotice[];
let warned: string[];
let kept: object[];
/** Whether there is the order of a notice; a throw: it could not be written. */
let isKnown: () => boolean;

beforeEach(async () => {
  stripe = await stripeUnderTest();
  [taken, warned, kept, isKnown] = [[], [], [], () => true];
  const take = async (notice: PaymentNotice) => {
    const here = isKnown();
    if (here) taken.push(notice);
    return here;
  };
  const logger = { warn: (_: unknown, said = '') => void warned.push(said), error: () => undefined };
  const keep = async (notice: object) => void kept.push(notice);
  const endpoint = stripeWebhooks({ ...stripe.ports, take, keep, logger });
  const { ports } = commerce;
  const mounted = mount({ service: 'commerce', operations: [], endpoints: [endpoint], ports, trust: ports.trust });
  web = await listen(mounted.callback());
});
afterEach(() => Promise.all([stripe.close(), web.close()]));

/** A payment that was made, as Stripe tells of it. */
async function paid() {
  const { reference } = await stripe.open(wanted);
  stripe.server.books().pay(reference);
  const event = stripe.server.events.findLast(({ type }) => type === 'checkout.session.completed');
  if (!event) throw new Error('nothing was told');
  return { body: event.body, signature: stripe.server.sign(event.body, 'whsec_present') };
}

async function send(body: Buffer, signature: string, method = 'POST') {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature };
  const sent = { method, headers, ...(method === 'POST' ? { body: new Uint8Array(body) } : {}) };
  const response = await fetch(`http://127.0.0.1:${web.port}${stripeWebhookPath}`, sent);
  return { status: response.status, body: await response.json() };
}

describe('the address for webhooks of Stripe', () => {
  test('takes in what Stripe signed, over the bytes as they came, as often as it comes', async () => {
    const { body, signature } = await paid();
    for (let times = 0; times < 5; times += 1)
      expect(await send(body, signature)).toEqual({ status: 200, body: { received: true } });
    // What comes again is the same notice, which counts once.
    expect(new Set(taken.map(({ event_id }) => event_id)).size).toBe(1);
    expect(taken[0]).toMatchObject({ kind: 'captured', order_id: 'order_1', amount: 4_900, currency: 'USD' });
  });

  test('401 for what is not signed, or was changed on the way, in words that tell of nothing', async () => {
    const { body, signature } = await paid();
    const changed = Buffer.from(body.toString().replace('4900', '1'));
    for (const refused of [await send(changed, signature), await send(body, ''), await send(body, 't=1,v1=00')])
      expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(taken).toEqual([]);
  });

  test.each([
    ['that no school here has: the operator is told under the school that it names', 'acct_of_somebody', 'school_a'],
    ['that another school has: the operator is told under that school', 'acct_b', 'school_b'],
  ])('400 for an account %s', async (_, account, school) => {
    const books = stripe.server.books(account);
    const metadata = { school: 'school_a', order_id: 'order_1', payment_id: 'payment_1', by: 'session' };
    const price_data = { unit_amount: '4900', currency: 'usd' };
    books.pay(books.openSession({ line_items: { '0': { price_data } }, metadata }).id);
    const { body } = stripe.server.events.at(-1)!;
    const refused = await send(body, stripe.server.sign(body, 'whsec_present'));
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect([taken, warned]).toEqual([[], ['a webhook of Stripe is refused']]);
    const reason = `the account ${account} is not that of school_a`;
    expect(kept).toEqual([expect.objectContaining({ school, order_id: 'order_1', reason })]);
  });

  test('200 for an order that is not here: to send it again would not help; the operator is told', async () => {
    isKnown = () => false;
    const { body, signature } = await paid();
    expect((await send(body, signature)).status).toBe(200);
    expect(warned).toEqual(['Stripe tells of an order that is not here']);
    expect(kept).toEqual([expect.objectContaining({ payment_id: 'payment_1', kind: 'captured' })]);
  });

  test('503 while Stripe gives no answer, 500 when it could not be written: it comes again', async () => {
    const { body, signature } = await paid();
    stripe.server.troubles.push(500, 500, 500);
    expect(await send(body, signature)).toMatchObject({ status: 503 });
    isKnown = () => {
      throw new Error('the disk is full');
    };
    expect(await send(body, signature)).toMatchObject({ status: 500 });
    isKnown = () => true;
    expect((await send(body, signature)).status).toBe(200);
    expect(taken).toHaveLength(1);
  });

  test('is for POST, and for bodies of a size that events have', async () => {
    expect((await send(Buffer.alloc(0), '', 'GET')).status).toBe(405);
    expect((await send(Buffer.alloc(300_000, 'x'), '')).status).toBe(413);
  });
});
