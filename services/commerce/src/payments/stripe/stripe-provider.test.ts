import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type StripeUnderTest, known, stripeUnderTest, wanted } from './testing/stripe-under-test.ts';

let stripe: StripeUnderTest;
beforeEach(async () => void (stripe = await stripeUnderTest()));
afterEach(() => stripe.close());

const capturedAs = { kind: 'captured', order_id: 'order_1', payment_id: 'payment_1', amount: 4_900, currency: 'USD' };
const posts = () => stripe.server.asked.filter(({ method }) => method === 'POST').length;

describe('a payment by a person', () => {
  test('is opened as a session with the amount, the title and what it is called here', async () => {
    const opened = await stripe.open(wanted);
    expect(opened).toMatchObject({ reference: expect.stringMatching(/^cs_/), url: expect.stringMatching(/^https:/) });
    expect(stripe.server.books().session(opened.reference)).toMatchObject({
      amount_total: 4_900,
      currency: 'usd',
      client_reference_id: 'order_1',
      metadata: { school: 'school_a', order_id: 'order_1', payment_id: 'payment_1', by: 'session' },
      // It ends half an hour after its order: a session lasts half an hour at least.
      expires_at: Date.parse('2027-03-01T13:00:00.000Z') / 1_000,
    });
  });

  test('that is opened again, also later and after an answer that was lost, is the same session', async () => {
    stripe.server.troubles.push('lost');
    const opened = await stripe.open(wanted);
    expect(posts()).toBe(2);
    stripe.clock.advance(60_000);
    expect(await stripe.open(wanted)).toEqual(opened);
    expect(stripe.server.books().sessions.size).toBe(1);
  });

  test('goes to the account of its school', async () => {
    const opened = await stripe.open({ ...wanted, school: 'school_b' });
    expect([...stripe.server.books('acct_b').sessions.keys()]).toEqual([opened.reference]);
    expect(stripe.server.books().sessions.size).toBe(0);
    expect(stripe.server.asked[0]).toMatchObject({ account: 'acct_b', key: 'payment_1' });
  });

  test('has the amount in the units of Stripe', async () => {
    const opened = await stripe.open({ ...wanted, currency: 'ISK', amount: 500 });
    expect(stripe.server.books().session(opened.reference)).toMatchObject({ amount_total: 50_000, currency: 'isk' });
  });

  test.each([
    ['too small', { amount: 49 }, /as small as 0.49 USD/],
    ['too large', { amount: 100_000_000 }, /as large as/],
    ['not a multiple of ten thousandths', { amount: 5_124, currency: 'KWD' }, /no amount of 5.124 KWD/],
  ])('of an amount that is %s is refused in words, and Stripe is not even asked', async (_, more, words) => {
    const asked = { ...wanted, ...more };
    expect(stripe.provider.refuses(asked)).toMatch(words);
    expect(await stripe.provider.open(asked)).toEqual({ refused: expect.stringMatching(words) });
    expect(stripe.server.asked).toEqual([]);
  });

  test('that Stripe says it never takes is refused in its words; one that it may take later is no refusal', async () => {
    // What is paid in króna is settled in dollars: only Stripe knows what is too little.
    const small = { ...wanted, payment_id: 'payment_small', amount: 10, currency: 'ISK' };
    for (let times = 0; times < 2; times += 1)
      expect(await stripe.provider.open(small)).toEqual({ refused: expect.stringContaining('amount_too_small') });
    stripe.server.troubles.push(500, 500, 500);
    await expect(stripe.provider.open(wanted)).rejects.toMatchObject({ type: expect.stringMatching(/^Stripe/) });
    await stripe.open(wanted);
    // Its key is used for good: a person who has moved to another address begins another payment.
    const moved = { ...wanted, return_url: 'https://elsewhere.test/' };
    expect(await stripe.provider.open(moved)).toEqual({ refused: expect.stringContaining('idempotent requests') });
  });

  test('of an order that may be paid for weeks has the longest session that there is', async () => {
    const opened = await stripe.open({ ...wanted, expires_at: '2027-03-20T12:00:00.000Z' });
    expect(stripe.server.books().session(opened.reference).expires_at).toBe(
      Date.parse('2027-03-02T12:00:00.000Z') / 1_000,
    );
    // Also when it is asked for again much later, when less of that time is left.
    stripe.clock.advance(18 * 24 * 3_600_000);
    expect(await stripe.open({ ...wanted, expires_at: '2027-03-20T12:00:00.000Z' })).toEqual(opened);
  });

  test('is looked at: not paid, paid, paid back in part, disputed and lost', async () => {
    const { reference } = await stripe.open(wanted);
    const books = stripe.server.books();
    const look = () => stripe.provider.look(known(reference));
    expect(await look()).toEqual([]);
    const { id } = books.pay(reference);
    expect(await look()).toMatchObject([{ ...capturedAs, reference, event_id: `${id}:captured` }]);
    await stripe.provider.refund({
      ...known(reference),
      refund_id: 'refund_1',
      amount: 900,
      currency: 'USD',
      reason: 'r',
    });
    const dispute = books.dispute(id);
    books.resolve(dispute.id, 'lost');
    const kinds = (await stripe.provider.look(known(reference))).map((each) => [
      each.kind,
      each.amount,
      each.refund_id,
    ]);
    expect(kinds).toEqual([
      ['captured', 4_900, undefined],
      ['refunded', 900, 'refund_1'],
      ['disputed', 4_900, undefined],
      ['dispute_lost', 4_900, undefined],
    ]);
  });

  test('of an amount of yen or forints that has more digits than others may have', () =>
    expect(stripe.provider.refuses({ amount: 100_000_000, currency: 'JPY' })).toBeUndefined());

  test('that is canceled cannot be paid any more, and one that was paid stays paid', async () => {
    const { reference } = await stripe.open(wanted);
    await stripe.provider.cancel(known(reference));
    await stripe.provider.cancel(known(reference));
    expect(stripe.server.books().session(reference).status).toBe('expired');
    expect(await stripe.provider.look(known(reference))).toMatchObject([{ kind: 'failed', amount: 4_900 }]);
    const other = await stripe.open({ ...wanted, payment_id: 'payment_2' });
    stripe.server.books().pay(other.reference);
    await stripe.provider.cancel(known(other.reference));
    expect(await stripe.provider.look(known(other.reference))).toMatchObject([{ kind: 'captured' }]);
  });
});

describe('an agreement to later charges, by which nothing is paid', () => {
  const trial = { ...wanted, amount: 0, currency: 'EUR', save_agreement: true };

  test('is a session of its own, which is looked at: open, agreed to, and over', async () => {
    const { reference, url } = await stripe.open(trial);
    expect(url).toMatch(/^https:/);
    const books = stripe.server.books();
    expect(books.session(reference)).toMatchObject({ mode: 'setup', metadata: { payment_id: 'payment_1' } });
    expect(await stripe.open(trial)).toMatchObject({ reference });
    expect(await stripe.provider.look(known(reference))).toEqual([]);
    const setup = books.agree(reference);
    const [saved, ...more] = await stripe.provider.look(known(reference));
    expect([saved, more]).toMatchObject([
      {
        kind: 'captured',
        amount: 0,
        currency: 'EUR',
        event_id: `${setup.id}:captured`,
        agreement: `${setup.customer}/${setup.payment_method}`,
      },
      [],
    ]);
    const charged = await stripe.provider.charge({
      ...wanted,
      payment_id: 'payment_9',
      agreement: saved?.agreement ?? '',
    });
    expect(charged).toMatchObject({ state: 'captured', notice: { amount: 4_900 } });
    const other = await stripe.open({ ...trial, payment_id: 'payment_2' });
    await stripe.provider.cancel(known(other.reference));
    expect(await stripe.provider.look(known(other.reference))).toMatchObject([
      { kind: 'failed', amount: 0, currency: 'EUR' },
    ]);
  });

  test('is told of by the webhook of its session, under the same name', async () => {
    const { reference } = await stripe.open(trial);
    const setup = stripe.server.books().agree(reference);
    const told = await stripe.deliver('checkout.session.completed');
    expect(told).toMatchObject({
      state: 'taken',
      notices: [{ kind: 'captured', amount: 0, currency: 'EUR', event_id: `${setup.id}:captured`, reference }],
    });
    expect(await stripe.provider.look(known(reference))).toMatchObject([{ event_id: `${setup.id}:captured` }]);
  });
});

describe('a charge without a person', () => {
  const agreed = { ...wanted, payment_id: 'payment_7', agreement: 'cus_1/pm_good' };

  test('is made once, however often it is asked for', async () => {
    stripe.server.troubles.push(500, 'lost');
    const first = await stripe.provider.charge(agreed);
    expect(first).toMatchObject({ state: 'captured', notice: { ...capturedAs, payment_id: 'payment_7' } });
    expect(await stripe.provider.charge(agreed)).toEqual(first);
    expect(stripe.server.books().intents.size).toBe(1);
  });

  test('that was agreed to at a session is made by what was agreed to', async () => {
    const { reference } = await stripe.open({ ...wanted, save_agreement: true });
    stripe.server.books().pay(reference);
    const [paid] = await stripe.provider.look(known(reference));
    expect(paid?.agreement).toMatch(/^cus_\d+\/pm_\d+$/);
    const charge = { ...wanted, payment_id: 'payment_2', agreement: paid?.agreement ?? '' };
    expect(await stripe.provider.charge(charge)).toMatchObject({ state: 'captured' });
    // Without the person's word nothing is kept.
    const once = await stripe.open({ ...wanted, payment_id: 'payment_3' });
    stripe.server.books().pay(once.reference);
    expect((await stripe.provider.look(known(once.reference)))[0]).not.toHaveProperty('agreement');
  });

  test.each([
    ['pm_declined', 'card_declined'],
    ['pm_expired', 'expired_card'],
    ['pm_secure', 'authentication_required'],
    ['', 'resource_missing'],
  ])('by %s fails for good: %s', async (means, code) => {
    const charge = { ...agreed, agreement: `cus_1/${means}` };
    const outcome = await stripe.provider.charge(charge);
    expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining(code) });
    expect(await stripe.provider.charge(charge)).toEqual(outcome);
  });

  test.each([
    ['pm_good', 'captured'],
    ['pm_slow', 'pending'],
    ['pm_declined', 'failed'],
  ])('by %s is found again when Stripe has forgotten its key: %s', async (means, state) => {
    const charge = { ...agreed, agreement: `cus_1/${means}` };
    await stripe.provider.charge({ ...charge, payment_id: 'payment_6' });
    const first = await stripe.provider.charge(charge);
    stripe.server.forgetKeys();
    stripe.clock.advance(25 * 3_600_000);
    expect(first).toMatchObject({ state });
    expect(await stripe.provider.charge(charge)).toMatchObject(state === 'failed' ? { state } : first);
    expect(stripe.server.books().intents.size).toBe(2);
    // What was not made is made, however late.
    expect(await stripe.provider.charge({ ...charge, payment_id: 'payment_8' })).toMatchObject({ state });
    expect(stripe.server.books().intents.size).toBe(3);
  });

  test('whose answer was lost is found by what it is called here', async () => {
    const outcome = await stripe.provider.charge(agreed);
    const { school, order_id, payment_id, started_at, agreement } = agreed;
    const sought = { school, order_id, payment_id, started_at, agreement };
    expect(await stripe.provider.lookFor(sought)).toEqual([outcome.state === 'captured' && outcome.notice]);
    for (const other of [
      { payment_id: 'payment_8' },
      { order_id: 'order_2' },
      { school: 'school_b' },
      { agreement: 'cus_2/pm_good' },
      { started_at: '2027-03-02T12:00:00.000Z' },
    ])
      expect(await stripe.provider.lookFor({ ...sought, ...other })).toEqual([]);
  });

  test('that Stripe does not take as it is asked for is no decline: it is asked for again', async () => {
    stripe.server.refusing = 'Your account cannot currently make live charges.';
    await expect(stripe.provider.charge(agreed)).rejects.toMatchObject({ code: 'account_invalid' });
    stripe.server.refusing = undefined;
    stripe.server.forgetKeys();
    expect(await stripe.provider.charge(agreed)).toMatchObject({ state: 'captured' });
  });

  test('is declined where what was agreed to is not good any more, and by no other fault of the request', async () => {
    const { StripeInvalidRequestError } = (await import('stripe')).default.errors;
    const { declined } = await import('./stripe-refusals.ts');
    const reasonOf = (raw: object) =>
      declined(new StripeInvalidRequestError({ message: '', type: 'invalid_request_error', ...raw }));
    for (const raw of [
      { param: 'customer', code: 'resource_missing' },
      { code: 'payment_method_unactivated' },
      { code: 'payment_intent_mandate_invalid' },
      { message: 'The provided PaymentMethod was detached from a Customer. It may not be used again.' },
    ])
      expect(await reasonOf(raw)).toMatch(/./);
    for (const raw of [
      { param: 'amount', code: 'amount_too_small' },
      { param: 'return_url', code: 'parameter_missing' },
      { message: 'Some of these payment methods might redirect: you must provide a `return_url`.' },
    ])
      expect(await reasonOf(raw)).toBeUndefined();
  });

  test('that the bank takes days for is pending', async () =>
    expect(await stripe.provider.charge({ ...agreed, agreement: 'cus_1/pm_slow' })).toEqual({
      state: 'pending',
      reference: expect.stringMatching(/^pi_/),
    }));

  test('is given up neither when Stripe is busy nor when it is silent: that is no answer', async () => {
    stripe.server.troubles.push(429, 500, 500);
    await expect(stripe.provider.charge(agreed)).rejects.toMatchObject({ type: expect.stringMatching(/^Stripe/) });
    stripe.server.troubles.push('silent', 'silent', 'silent');
    await expect(stripe.provider.charge(agreed)).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await stripe.provider.charge(agreed)).toMatchObject({ state: 'captured' });
  });
});

describe('a refund', () => {
  const refund = (reference: string, more = {}) => ({
    ...known(reference),
    refund_id: 'refund_1',
    amount: 1_000,
    currency: 'USD',
    reason: 'wanted',
    ...more,
  });
  async function paidBy() {
    const { reference } = await stripe.open(wanted);
    stripe.server.books().pay(reference);
    return reference;
  }

  test('is made once, however often it is asked for', async () => {
    const reference = await paidBy();
    stripe.server.troubles.push('lost');
    const first = await stripe.provider.refund(refund(reference));
    expect(first).toMatchObject({ state: 'done', event_id: expect.stringMatching(/^re_\d+:refunded$/) });
    expect(await stripe.provider.refund(refund(reference))).toEqual(first);
    expect([...stripe.server.books().refunds.values()].map(({ amount }) => amount)).toEqual([1_000]);
  });

  test('is found again when Stripe has forgotten the key that it was asked for with', async () => {
    const reference = await paidBy();
    const first = await stripe.provider.refund(refund(reference));
    stripe.server.forgetKeys();
    expect(await stripe.provider.refund(refund(reference))).toEqual(first);
    expect(stripe.server.books().refunds.size).toBe(1);
    expect(await stripe.provider.refund(refund(reference, { refund_id: 'refund_2' }))).toMatchObject({ state: 'done' });
    expect(stripe.server.books().refunds.size).toBe(2);
  });

  test('of more than was paid, or of nothing that was paid, fails in words', async () => {
    const reference = await paidBy();
    expect(await stripe.provider.refund(refund(reference, { amount: 4_901 }))).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('charge_already_refunded'),
    });
    const open = await stripe.open({ ...wanted, payment_id: 'payment_2' });
    expect(await stripe.provider.refund(refund(open.reference))).toMatchObject({ state: 'failed' });
  });
});

test('a key that Stripe does not know is no refusal of a payment: it is for the operator', async () => {
  const { stripeClient } = await import('./stripe-client.ts');
  const { StripeProvider } = await import('./stripe-provider.ts');
  const client = stripeClient({ secretKey: 'sk_test_wrong', apiBase: stripe.server.url });
  const provider = new StripeProvider({ ...stripe.ports, client });
  await expect(provider.charge({ ...wanted, agreement: 'cus_1/pm_1' })).rejects.toMatchObject({
    type: 'StripeAuthenticationError',
  });
});
