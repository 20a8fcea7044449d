import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StartRefused } from '@lyceum/service';
import { FakeClock } from '@lyceum/testkit';
import { stripeOf, stripeSettings } from '../payments/stripe/stripe-settings.ts';
import { type SellingByStripe, startSellingByStripe } from '../testing/selling-by-stripe.ts';

const secrets = { STRIPE_SECRET_KEY: 'sk_test_key', STRIPE_WEBHOOK_SECRETS: 'whsec_present' };

let stripe: SellingByStripe['stripe'];
let shop: SellingByStripe['shop'];
let running: SellingByStripe;
beforeEach(async () => {
  running = await startSellingByStripe();
  ({ stripe, shop } = running);
});
afterEach(() => running.close());

const deliver: SellingByStripe['deliver'] = (...given) => running.deliver(...given);
const session: SellingByStripe['session'] = (account) => running.session(account);

describe('an order that is paid by Stripe', () => {
  test('is paid when Stripe says so, once, however often it comes and at the address of whatever school', async () => {
    const { body } = await shop.buy(['lamps']);
    expect(body.payment).toMatchObject({ url: expect.stringMatching(/^https:\/\/checkout\.stripe/) });
    stripe.books().pay(session());
    for (let times = 0; times < 5; times += 1)
      expect((await deliver(times % 2 === 0 ? 'school_1' : 'school_2')).body).toEqual({ received: true });
    const paid = await shop.order(body.id);
    expect(paid).toMatchObject({ status: 'paid', payments: [{ provider: 'stripe', state: 'captured' }] });
    const { commits } = await shop.log.load('school_1', [body.id]);
    const types = commits.flatMap(({ events }) => events).map(({ type }) => type);
    expect(types.filter((type) => type === 'OrderPaid')).toHaveLength(1);
  });

  test('is not paid by what is not signed, or was changed', async () => {
    const { body } = await shop.buy(['lamps']);
    stripe.books().pay(session());
    const got = await deliver('school_1', (text) => text.replace('4900', '1'));
    expect([got.status, got.body.error]).toEqual([401, 'invalid_client']);
    expect((await shop.order(body.id)).status).toBe('pending');
  });

  test('of a school with an account of its own is paid there only', async () => {
    const { body } = await shop.buy(['lamps'], { school: 'school_2' });
    const own = stripe.books('acct_2');
    const { metadata } = own.session(session('acct_2'));
    // Somebody else's account says that it has the money.
    const foreign = stripe.books('acct_3');
    const price_data = { unit_amount: '5000', currency: 'jpy' };
    foreign.pay(foreign.openSession({ line_items: { '0': { price_data } }, metadata }).id);
    expect((await deliver()).status).toBe(400);
    own.pay(session('acct_2'));
    expect((await deliver()).status).toBe(200);
    const paid = await shop.call('GET', `/api/orders/${body.id}`, { school: 'school_2' });
    expect(paid.body.status).toBe('paid');
  });

  test('is refunded at Stripe, and what Stripe says of it changes nothing more', async () => {
    const { body } = await shop.buy(['lamps']);
    stripe.books().pay(session());
    await deliver();
    const headers = { 'idempotency-key': 'refund-1' };
    const asked = { headers, body: { school: 'school_1', reason: 'asked for', amount: 900 } };
    await shop.call('POST', `/internal/orders/${body.id}/refunds`, asked);
    const refunded = await shop.orderOnce(body.id, ({ status }) => status === 'partially_refunded');
    expect([...stripe.books().refunds.values()].map(({ amount }) => amount)).toEqual([900]);
    expect((await deliver()).status).toBe(200);
    expect((await shop.order(body.id)).refunds).toEqual(refunded.refunds);
  });

  test('that nobody told of is found when its time is over: Stripe is asked before it expires', async () => {
    const { body } = await shop.buy(['lamps']);
    stripe.books().pay(session());
    shop.clock.advance(31 * 60_000);
    await shop.orderOnce(body.id, ({ status }) => status === 'paid');
  });
});

describe('the settings of Stripe', () => {
  const clock = new FakeClock();
  const parsed = (given: object) => stripeSettings.safeParse(given);

  test('are refused at the start when one of the secrets is missing', () => {
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const)
      expect(() => stripeOf(stripeSettings.parse({ ...secrets, [name]: undefined }), clock)).toThrow(StartRefused);
  });

  test.each([
    { STRIPE_SECRET_KEY: 'pk_test_public' },
    { STRIPE_WEBHOOK_SECRETS: 'secret' },
    { STRIPE_ACCOUNTS: 'school_1' },
    { STRIPE_ACCOUNTS: 'school_1=cus_1' },
    { STRIPE_API_BASE: 'api.stripe.com' },
  ])('%j is refused', (given) => expect(parsed(given).success).toBe(false));

  test('name the accounts of schools', () => {
    const ports = stripeOf(
      stripeSettings.parse({ ...secrets, STRIPE_ACCOUNTS: 'school_1=acct_1, school_2=acct_2' }),
      clock,
    );
    expect(['school_1', 'school_2', 'school_3'].map(ports.accountOf)).toEqual(['acct_1', 'acct_2', undefined]);
    expect(['acct_1', 'acct_2', 'acct_3'].map(ports.schoolOf)).toEqual(['school_1', 'school_2', undefined]);
  });
});
