import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type StripeUnderTest, known, stripeUnderTest, wanted } from './testing/stripe-under-test.ts';

let stripe: StripeUnderTest;
beforeEach(async () => void (stripe = await stripeUnderTest()));
afterEach(() => stripe.close());

const completed = 'checkout.session.completed';

async function paidBy(more: Partial<typeof wanted> = {}) {
  const { reference } = await stripe.open({ ...wanted, ...more });
  return { reference, intent: stripe.server.books().pay(reference) };
}

describe('a webhook', () => {
  test('that Stripe signed says what was paid, in the same words as a look and a charge', async () => {
    const { reference, intent } = await paidBy();
    const outcome = await stripe.deliver(completed);
    const notice = {
      ...known(reference),
      event_id: `${intent.id}:captured`,
      kind: 'captured',
      amount: 4_900,
      currency: 'USD',
      at: '2027-03-01T12:00:00.000Z',
    };
    expect(outcome).toEqual({ state: 'taken', notices: [notice] });
    expect(await stripe.provider.look(known(reference))).toEqual([notice]);
  });

  test.each<[string, Parameters<StripeUnderTest['deliver']>[1]]>([
    ['with another amount', ({ body }) => ({ body: Buffer.from(body.toString().replace('4900', '4901')) })],
    [
      'written otherwise, though it says the same',
      ({ body }) => ({ body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))) }),
    ],
    ['without a signature', () => ({ signature: '' })],
    ['with a signature that is none', () => ({ signature: 't=now,v1=0,v1=' })],
    ['signed by another', ({ body }) => ({ signature: stripe.server.sign(body, 'whsec_other') })],
    [
      'signed six minutes ago',
      ({ body }) => ({
        signature: stripe.server.sign(body, 'whsec_present', Date.parse('2027-03-01T11:54:00Z') / 1_000),
      }),
    ],
  ])('%s is not believed', async (_, change) => {
    await paidBy();
    expect(await stripe.deliver(completed, change)).toEqual({ state: 'unverified' });
  });

  test('is believed by the secret that is to come, too', async () => {
    await paidBy();
    const next = ({ body }: { readonly body: Buffer }) => ({ signature: stripe.server.sign(body, 'whsec_next') });
    expect(await stripe.deliver(completed, next)).toMatchObject({ state: 'taken', notices: [{ kind: 'captured' }] });
  });

  test('of another account than the school has is refused, whatever stands in it', async () => {
    // The owner of an account writes the order of another school into a payment of his own.
    const payBy = (account: string) => {
      const books = stripe.server.books(account);
      const session = books.openSession({
        line_items: { '0': { price_data: { unit_amount: '4900', currency: 'usd' } } },
        metadata: { school: 'school_a', order_id: 'order_1', payment_id: 'payment_1', by: 'session' },
      });
      books.pay(session.id);
      return stripe.deliver(completed);
    };
    // That of a school here is told under that school; any other was forgotten in the settings, and its school waits.
    for (const [account, school] of [
      ['acct_of_somebody', 'school_a'],
      ['acct_b', 'school_b'],
    ] as const)
      expect(await payBy(account)).toEqual({
        state: 'refused',
        reason: `the account ${account} is not that of school_a`,
        about: {
          school,
          order_id: 'order_1',
          payment_id: 'payment_1',
          event_id: expect.stringMatching(/^evt_/),
          kind: completed,
        },
      });
    const own = await stripe.open({ ...wanted, school: 'school_b' });
    stripe.server.books('acct_b').pay(own.reference);
    expect(await stripe.deliver(completed)).toMatchObject({ state: 'taken', notices: [{ school: 'school_b' }] });
  });

  test('about what was not begun here, or about something else, says nothing', async () => {
    const books = stripe.server.books();
    books.pay(books.openSession({ line_items: { '0': { price_data: { unit_amount: '100', currency: 'usd' } } } }).id);
    expect(await stripe.deliver(completed)).toEqual({ state: 'taken', notices: [] });
    const signed = (event: object) => {
      const body = Buffer.from(JSON.stringify(event));
      return () => ({ body, signature: stripe.server.sign(body, 'whsec_present') });
    };
    const other = { id: 'evt_1', type: 'customer.created', created: 1, data: { object: { object: 'customer' } } };
    expect(await stripe.deliver(completed, signed(other))).toEqual({ state: 'taken', notices: [] });
  });

  test.each([
    ['no event', { hello: 'world' }],
    ['an event of another shape', { id: 'evt_1', type: completed, created: 1, data: { object: { object: 'refund' } } }],
    ['nothing', null],
    ['a list', [1, 2]],
  ])('with %s in it is refused, though it is signed', async (_, event) => {
    await paidBy();
    const body = Buffer.from(JSON.stringify(event));
    const signature = stripe.server.sign(body, 'whsec_present');
    expect(await stripe.deliver(completed, () => ({ body, signature }))).toMatchObject({ state: 'refused' });
  });

  test('that came and cannot be judged because Stripe gives no answer fails, so that it comes again', async () => {
    await paidBy();
    stripe.server.troubles.push(500, 500, 500);
    await expect(stripe.deliver(completed)).rejects.toThrow();
    expect(await stripe.deliver(completed)).toMatchObject({ state: 'taken', notices: [{ kind: 'captured' }] });
  });
});

describe('what webhooks say', () => {
  test('of a transfer: that it is on its way, then that it came, or that it did not', async () => {
    const { reference } = await stripe.open(wanted);
    const books = stripe.server.books();
    const { id } = books.pay(reference, 'transfer');
    const onItsWay = { kind: 'processing', reference, event_id: `${id}:processing`, amount: 4_900 };
    expect(await stripe.deliver(completed)).toMatchObject({ state: 'taken', notices: [onItsWay] });
    expect(await stripe.provider.look(known(reference))).toMatchObject([onItsWay]);
    books.settle(reference, true);
    expect(await stripe.deliver('checkout.session.async_payment_succeeded')).toMatchObject({
      notices: [{ kind: 'captured', reference }],
    });
    // That it is on its way may come after that it came.
    expect(await stripe.deliver(completed)).toMatchObject({ notices: [{ kind: 'captured' }] });
    const other = await stripe.open({ ...wanted, payment_id: 'payment_2' });
    books.pay(other.reference, 'transfer');
    books.settle(other.reference, false);
    expect(await stripe.deliver('checkout.session.async_payment_failed')).toMatchObject({
      notices: [{ kind: 'failed', payment_id: 'payment_2', reference: other.reference }],
    });
    expect(await stripe.provider.look({ ...known(other.reference), payment_id: 'payment_2' })).toMatchObject([
      { kind: 'failed' },
    ]);
  });

  test('of a session that nobody paid: it failed', async () => {
    const { reference } = await stripe.open(wanted);
    stripe.server.books().expire(reference);
    expect(await stripe.deliver('checkout.session.expired')).toMatchObject({
      notices: [{ kind: 'failed', reference, event_id: `${reference}:failed` }],
    });
  });

  test('of the intent of a session: nothing, because the session says it', async () => {
    await paidBy();
    expect(await stripe.deliver('payment_intent.succeeded')).toEqual({ state: 'taken', notices: [] });
  });

  test('of a charge: the same as its answer', async () => {
    const charged = await stripe.provider.charge({ ...wanted, agreement: 'cus_1/pm_good' });
    expect(await stripe.deliver('payment_intent.succeeded')).toEqual({
      state: 'taken',
      notices: charged.state === 'captured' ? [charged.notice] : undefined,
    });
    await stripe.provider.charge({ ...wanted, payment_id: 'payment_2', agreement: 'cus_1/pm_declined' });
    expect(await stripe.deliver('payment_intent.payment_failed')).toMatchObject({
      notices: [{ kind: 'failed', payment_id: 'payment_2' }],
    });
  });

  test('of refunds: those that were asked for here, and those that were made at Stripe', async () => {
    const { reference, intent } = await paidBy();
    const asked = { ...known(reference), refund_id: 'refund_1', amount: 900, currency: 'USD', reason: 'wanted' };
    const answer = await stripe.provider.refund(asked);
    const event_id = answer.state === 'done' ? answer.event_id : '';
    const told = { kind: 'refunded', reference, order_id: 'order_1' };
    expect(await stripe.deliver('refund.created')).toMatchObject({
      notices: [{ ...told, amount: 900, refund_id: 'refund_1', event_id }],
    });
    const { id } = stripe.server.books().refund({ payment_intent: intent.id, amount: '4000' });
    expect(await stripe.deliver('refund.created')).toMatchObject({
      notices: [{ ...told, amount: 4_000, refund_id: id, event_id: `${id}:refunded` }],
    });
  });

  test('of a refund that fails later, or is canceled: that it did, and why, as a look says', async () => {
    const { reference } = await paidBy();
    const asked = { ...known(reference), refund_id: 'refund_1', amount: 900, currency: 'USD', reason: 'wanted' };
    await stripe.provider.refund(asked);
    const id = [...stripe.server.books().refunds.keys()].join();
    stripe.server.books().failRefund(id, 'lost_or_stolen_card');
    const told = {
      kind: 'refund_failed',
      reference,
      amount: 900,
      refund_id: 'refund_1',
      event_id: `${id}:failed`,
      reason: 'lost_or_stolen_card',
    };
    expect(await stripe.deliver('refund.failed')).toMatchObject({ notices: [told] });
    expect(await stripe.provider.look(known(reference))).toContainEqual(expect.objectContaining(told));
    expect(await stripe.provider.refund(asked)).toEqual({
      state: 'failed',
      reason: expect.stringContaining('lost_or_stolen_card'),
    });
    expect(stripe.server.books().refunds.size).toBe(1);
  });

  test('of disputes: that there is one, and how it ends; of inquiries nothing', async () => {
    const { reference, intent } = await paidBy();
    const books = stripe.server.books();
    const inquiry = books.dispute(intent.id, 'warning_needs_response');
    expect(await stripe.deliver('charge.dispute.created')).toEqual({ state: 'taken', notices: [] });
    books.disputes.delete(inquiry.id);
    const { id } = books.dispute(intent.id);
    expect(await stripe.deliver('charge.dispute.created')).toMatchObject({
      notices: [{ kind: 'disputed', reference, amount: 4_900 }],
    });
    books.resolve(id, 'won');
    expect(await stripe.deliver('charge.dispute.closed')).toMatchObject({
      notices: [{ kind: 'disputed' }, { kind: 'dispute_won', reference, event_id: `${id}:won` }],
    });
  });
});
