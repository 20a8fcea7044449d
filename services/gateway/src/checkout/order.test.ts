import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BrowserOfTests, formOf } from './testing/browser-of-tests.ts';
import { type OrderOfTests, hostile, openTestCheckout, refusing } from './testing/shop-of-tests.ts';

let opened: Awaited<ReturnType<typeof openTestCheckout>>;
let browser: BrowserOfTests;
beforeEach(async () => {
  opened = await openTestCheckout();
  browser = new BrowserOfTests(opened.baseUrl);
});
afterEach(() => opened.close());

/** Buys as a guest; gives the order and where the form led. */
async function bought(item = 'course:lamps'): Promise<{ order: OrderOfTests; location: string; path: string }> {
  const page = await browser.get(`/checkout?item=${item}`);
  const { location } = await browser.post('/checkout', formOf(page, { email: 'ada@example.org', name: '' }));
  const order = opened.shop.orders.at(-1)!;
  return { order, location: location!, path: `/checkout/${order.id}` };
}

const press = async (path: string, action: string) =>
  browser.post(path, formOf(await browser.get(path), { do: action }));

describe('the page of an order', () => {
  test('is for its buyer: there is no such order in another browser, with another secret or at another school', async () => {
    const { order, path } = await bought();
    const stranger = new BrowserOfTests(opened.baseUrl);
    expect((await stranger.get(path)).status).toBe(404);
    stranger.cookies.set(`lyceum_${order.id}`, 'x'.repeat(43));
    expect((await stranger.get(path)).status).toBe(404);
    const other = await bought('course:hostile');
    stranger.cookies.set(`lyceum_${order.id}`, other.order.secret);
    expect([(await stranger.get(path)).status, (await browser.get(path)).status]).toEqual([404, 200]);
    expect((await stranger.post(path, [['do', 'retry']])).status).toBe(404);
  });

  test('keeps the secrets of eight orders in a browser, the newest', async () => {
    for (let times = 0; times < 10; times += 1) await bought();
    const kept = [...browser.cookies.keys()].filter((name) => name.startsWith('lyceum_order_'));
    expect(kept.sort()).toEqual(
      opened.shop.orders
        .map(({ id }) => `lyceum_${id}`)
        .sort()
        .slice(-8),
    );
  });

  test('leads to the provider where that has a page, by its own address only', async () => {
    opened.shop.provider = 'stripe';
    opened.shop.url = 'https://checkout.stripe.example/pay/1?a=1&b=2';
    const { location, path } = await bought();
    expect(location).toBe(opened.shop.url);
    const { text } = await browser.get(path);
    expect(text).toContain('href="https://checkout.stripe.example/pay/1?a=1&amp;b=2"');
    opened.shop.url = 'javascript:alert(1)';
    const odd = await bought();
    expect(odd.location).toBe(odd.path);
    expect((await browser.get(odd.path)).text).not.toContain('javascript:');
  });

  test('of a bank transfer says what to transfer, where to and with which reference', async () => {
    opened.shop.provider = 'manual';
    const { order, path } = await bought();
    order.payment = { ...order.payment, instructions: `IBAN 1\n${hostile}` };
    const { text } = await browser.get(path);
    for (const said of [
      'Waiting for your bank transfer',
      '<code><bdi>REF-1</bdi></code>',
      '$49.00',
      'IBAN 1',
      'January 5, 2026 at 8:30',
    ])
      expect(text).toContain(said);
    expect(text).not.toContain('<script');
  });

  test('of a bank transfer says who tells the account, where the operator has not', async () => {
    opened.shop.provider = 'manual';
    const { path } = await bought();
    expect((await browser.get(path)).text).toContain('The school tells you the account');
  });

  test('of a trial waits for how it is paid later, then says that nothing was paid and how to end it', async () => {
    opened.shop.agreements = true;
    const { order, path } = await bought('membership_plan:trial');
    const waiting = await browser.get(path);
    for (const said of ['One step is left', 'Nothing is paid today', 'value="succeed"'])
      expect(waiting.text).toContain(said);
    const paid_at = '2026-01-05T08:05:00.000Z';
    order.order = { ...order.order, status: 'paid', paid_at, fulfilled_at: paid_at };
    const begun = await browser.get(path);
    for (const said of ['your membership has begun', 'Nothing was paid today', 'You can end it at any time'])
      expect(begun.text).toContain(said);
    expect((await browser.get((await bought('course:lamps')).path)).text).not.toContain('You can end it');
  });

  test('whose payment the provider has not taken yet leads there again', async () => {
    const { order, path } = await bought();
    order.payment = { ...order.payment, provider: 'stripe', state: 'created' };
    const { text } = await browser.get(path);
    expect(text).toContain('name="do" value="retry">Go to the payment</button>');
  });

  test('of a test payment has buttons that say so, for its buyer only', async () => {
    const { order, path } = await bought();
    const { text } = await browser.get(path);
    for (const said of ['This is a test', 'No money moves here', 'value="succeed"', 'value="fail"'])
      expect(text).toContain(said);
    const pressed = await press(path, 'succeed');
    expect([pressed.status, pressed.location]).toEqual([303, path]);
    const question = {
      service: 'commerce',
      kind: 'test_payment',
      school: 'school_1',
      order: order.id,
      outcome: 'captured',
    };
    expect(opened.shop.asked.at(-1)).toEqual(question);
    const asked = opened.shop.asked.length;
    const forged = await browser.post(path, [
      ['do', 'succeed'],
      ['csrf', 'x'],
    ]);
    expect([forged.status, opened.shop.asked.length]).toEqual([403, asked]);
    expect((await press(path, 'nothing')).status).toBe(303);
    expect(opened.shop.asked.length).toBe(asked);
  });

  test('has no such buttons for a payment of another provider', async () => {
    opened.shop.provider = 'stripe';
    const { path } = await bought();
    expect((await browser.get(path)).text).not.toContain('value="succeed"');
  });

  test('is a receipt once it is paid, with the way to what was bought', async () => {
    const { order, path } = await bought();
    const paid = { ...order.order, status: 'paid', paid_at: '2026-01-05T08:05:00.000Z' };
    order.order = paid;
    const soon = await browser.get(path);
    for (const said of [
      'Thank you, it is paid',
      'Order 1',
      'Your access is being set up',
      'in the mail that we send you',
      'Paid on',
    ])
      expect(soon.text).toContain(said);
    order.invoices = [
      { kind: 'invoice', label: 'R-<1>', url: 'https://school.example/invoices/abc?a=1&b=2' },
      { kind: 'credit_note', label: '1', url: 'javascript:alert(1)' },
    ];
    const { text } = await browser.get(path);
    expect(text).toContain(
      '<a class="button" href="https://school.example/invoices/abc?a=1&amp;b=2">Invoice <bdi>R-&lt;1&gt;</bdi>',
    );
    expect(text).not.toContain('javascript:');
    order.order = { ...paid, fulfilled_at: '2026-01-05T08:05:01.000Z' };
    expect((await browser.get(path)).text).toContain(
      '<a class="button" href="/courses/lamps">Go to <bdi>The lamps</bdi></a>',
    );
  });

  test('of what costs nothing says so', async () => {
    const { path } = await bought('course:gift');
    expect((await browser.get(path)).text).toContain('Thank you, it is yours');
  });

  test('pays again after a payment failed', async () => {
    const { order, path } = await bought();
    order.order = { ...order.order, status: 'failed' };
    expect((await browser.get(path)).text).toContain('The payment failed');
    const page = await browser.get(path);
    const again = await browser.post(path, formOf(page, { do: 'retry' }));
    expect([again.status, again.location, order.order['status']]).toEqual([303, path, 'pending']);
    // Pressed twice.
    expect((await browser.post(path, formOf(page, { do: 'retry' }))).status).toBe(303);
  });

  test.each([
    [409, 'sold_out', 409, 'No seats are left by now'],
    [409, 'coupon_invalid', 409, 'This coupon code does not count here'],
    [409, 'invalid_state', 409, 'This order cannot be paid any more'],
  ])('that no payment can replace, %d %s, says so and leads to another order', async (status, code, shown, said) => {
    const { order, path } = await bought();
    order.order = { ...order.order, status: 'failed' };
    const form = formOf(await browser.get(path), { do: 'retry' });
    opened.shop.next.set(`/api/checkout/${order.id}/payments`, [refusing(status, code)]);
    const again = await browser.post(path, form);
    expect([again.status, again.text.includes(said), again.text.includes('value="retry"')]).toEqual([
      shown,
      true,
      false,
    ]);
    expect(again.text).toContain('href="/checkout?item=course%3Alamps">Order again</a>');
  });

  test.each([
    [503, 'temporarily_unavailable', 'That did not work at the moment'],
    [429, 'rate_limited', 'There were too many tries'],
  ])('that cannot be paid again just now, %d, says so and lets one try again', async (status, code, said) => {
    const { order, path } = await bought();
    order.order = { ...order.order, status: 'failed' };
    const form = formOf(await browser.get(path), { do: 'retry' });
    opened.shop.next.set(`/api/checkout/${order.id}/payments`, [refusing(status, code, [], { 'retry-after': '2' })]);
    const again = await browser.post(path, form);
    expect([again.status, again.headers.get('retry-after'), again.text.includes(said)]).toEqual([status, '2', true]);
    expect((await browser.post(path, formOf(again, { do: 'retry' }))).location).toBe(path);
  });

  test('that would have changed a subscription is not ordered again here', async () => {
    const { order, path } = await bought('membership_plan:friends');
    order.order = { ...order.order, status: 'expired', source: 'change' };
    expect((await browser.get(path)).text).not.toContain('Order again');
  });

  test.each([
    ['expired', 'The order has expired'],
    ['canceled', 'The order is canceled'],
    ['refunded', 'The order is refunded'],
    ['partially_refunded', 'A part of the order is refunded'],
    ['disputed', 'The payment is disputed'],
    ['charged_back', 'The payment was taken back'],
    ['of-a-later-release', 'Waiting for your payment'],
  ])('that is %s says so', async (status, said) => {
    const { order, path } = await bought('course:hostile');
    const refunds = [{ id: 'refund_1', state: 'done', amount: { amount: 40, currency: 'USD' } }];
    order.order = { ...order.order, status, refunds };
    const { text } = await browser.get(path);
    expect(text).toContain(`<h1>${said}</h1>`);
    expect(text).toContain('$0.40');
    expect(text).not.toContain('<script');
    // Access stays while a payment is disputed, unless the school wants it otherwise.
    if (status === 'disputed') {
      expect(text).toContain('id="onward"');
      const [line = {}] = order.order['lines'] as object[];
      order.order = { ...order.order, lines: [{ ...line, suspended: true }] };
      const resting = (await browser.get(path)).text;
      expect([resting.includes(said), resting.includes('id="onward"')]).toEqual([true, false]);
    }
    if (status === 'expired') expect(text).toContain('href="/checkout?item=course%3Ahostile"');
  });
});
