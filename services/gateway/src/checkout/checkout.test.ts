import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import { BrowserOfTests, formOf } from './testing/browser-of-tests.ts';
import { hostile, openTestCheckout, refusing, taxedQuote } from './testing/shop-of-tests.ts';
import { checkoutLanguages } from './texts/languages.ts';

let opened: Awaited<ReturnType<typeof openTestCheckout>>;
let browser: BrowserOfTests;
beforeEach(async () => {
  opened = await openTestCheckout();
  browser = new BrowserOfTests(opened.baseUrl);
});
afterEach(() => opened.close());

const lamps = '/checkout?item=course:lamps';
const session = 's'.repeat(43);
const guest = { email: 'ada@example.org', name: 'Ada' };

/** Signs somebody in in the browser. */
function signIn(name = 'Ana'): void {
  opened.shop.sessions.set(session, name);
  browser.cookies.set('lyceum_session', session);
}

/** Sends the form of a page. */
const submit = (page: { readonly text: string }, changes: Readonly<Record<string, string>> = guest) =>
  browser.post('/checkout', formOf(page, changes));

describe('the checkout page', () => {
  test('says what is bought, what it costs and who sells, and sells it to a guest', async () => {
    opened.shop.seller = {
      timezone: 'Europe/Lisbon',
      contact_email: 'hello@lantern.example',
      legal: { terms: 'https://lantern.example/terms', privacy: 'javascript:alert(1)', imprint: null },
    };
    const page = await browser.get(`${lamps}&item=digital_product:product_1`);
    expect(page.status).toBe(200);
    for (const said of [
      'The lamps',
      'Templates',
      '$49.00',
      '$7.00',
      'Pay $56.00',
      'School &amp; &lt;Sons&gt;',
      'hello@lantern.example',
    ])
      expect(page.text).toContain(said);
    expect(page.text).toContain('<a href="https://lantern.example/terms"');
    expect(page.text).not.toContain('javascript:');
    const placed = await submit(page);
    const [order] = opened.shop.orders;
    expect([placed.status, placed.location]).toEqual([303, `/checkout/${order!.id}`]);
    expect(JSON.parse(order!.body)).toEqual({
      items: [
        { item_type: 'course', item_id: 'course_1' },
        { item_type: 'digital_product', item_id: 'product_1' },
      ],
      expected_total: { amount: 5_600, currency: 'USD' },
      language: 'en',
      ...guest,
    });
    const [cookie] = placed.headers.getSetCookie();
    expect(cookie).toBe(`lyceum_${order!.id}=${order!.secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`);
    const shown = await browser.get(placed.location!);
    expect([shown.status, shown.text.includes('Waiting for your payment')]).toEqual([200, true]);
  });

  test('asks neither address nor name of a member, for whom it buys with a token of the checkout', async () => {
    signIn();
    const page = await browser.get(lamps);
    expect(page.text).toContain('You are signed in as <strong><bdi>Ana</bdi></strong>');
    expect(page.text).not.toContain('name="email"');
    const placed = await submit(page, {});
    expect([placed.status, opened.shop.orders[0]!.member]).toEqual([303, 'Ana']);
    expect(placed.headers.getSetCookie()).toEqual([]);
    expect(opened.shop.asked[0]).toEqual({ service: 'auth', kind: 'checkout_access', school: 'school_1', session });
    const withToken = opened.shop.seen.filter(({ headers }) => headers['authorization'] !== undefined);
    expect(
      new Set(withToken.map(({ headers, path }) => [headers['x-school-token-path'], path.slice(0, 13)].join(' '))),
    ).toEqual(new Set(['/api/checkout /api/checkout']));
    expect((await browser.get(placed.location!)).status).toBe(200);
  });

  test('takes a sign-in that has ended for a guest, and nobody for one while sessions cannot be judged', async () => {
    browser.cookies.set('lyceum_session', session);
    expect((await browser.get(lamps)).text).toContain('name="email"');
    signIn('away');
    const page = await browser.get(lamps);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  });

  test.each([
    ['/checkout?item=course:gift', 'Get it free'],
    ['/checkout?item=membership_plan:friends', 'Subscribe and pay $9.00'],
    ['/checkout?item=membership_plan:trial', 'Start free trial'],
  ])('%s has a button that says what happens: %s', async (path, label) => {
    expect((await browser.get(path)).text).toMatch(
      new RegExp(`type="submit"[^>]*>${label.replace('$', '\\$')}</button>`),
    );
  });

  test('of a plan says when the next payment is, in the calendar of the school, and how to end it', async () => {
    const friends = await browser.get('/checkout?item=membership_plan:friends');
    // It is 31 January.
    for (const said of [
      '$9.00 per month. It renews',
      '<time datetime="2026-02-28">February 28, 2026</time>',
      'You can end it',
    ])
      expect(friends.text).toContain(said);
    const trial = await browser.get('/checkout?item=membership_plan:trial');
    for (const said of ['Free for the first 14 days.', 'Then $9.00 per month', '<time datetime="2026-02-14">'])
      expect(trial.text).toContain(said);
  });

  test.each([
    ['friends', 'to pay $9.00 today, $9.00 on <time datetime="2026-02-28">February 28, 2026</time> and then $9.00 per'],
    ['trial', 'to pay nothing today, $9.00 on <time datetime="2026-02-14">February 14, 2026</time> and then $9.00 per'],
  ])('of the plan %s says beside the button what is agreed to', async (plan, agreed) => {
    const { text } = await browser.get(`/checkout?item=membership_plan:${plan}`);
    expect(text).toContain(
      `<p class="agreement" id="agreement">By subscribing you agree ${agreed} month, until you end`,
    );
    expect(text).toContain('<button class="primary wide" type="submit" aria-describedby="agreement">');
  });

  test('of a plan with tax and a coupon tells the first payments and the later ones, and each part of the sum', async () => {
    opened.shop.next.set('/api/checkout/quotes', [{ status: 200, body: taxedQuote, headers: {} }]);
    const { text } = await browser.get('/checkout?item=membership_plan:friends&coupon=HALF');
    for (const row of [
      '<dt>Subtotal</dt><dd>$9.00</dd>',
      '<dt>Discount (<bdi>HALF</bdi>)</dt><dd>−$4.50</dd>',
      '<dt>Tax (23%)</dt><dd>$1.04</dd>',
      '<dt>Total</dt><dd>$5.54</dd>',
    ])
      expect(text).toContain(row);
    expect(text).toMatch(/pay \$5\.54 today, \$5\.54 on .* and then \$11\.07 per month, until you end it/);
  });

  test('of what is paid once asks for no agreement', async () => {
    expect((await browser.get(lamps)).text).not.toContain('id="agreement"');
  });

  test('a coupon counts or is refused at its field, and buying goes on without it', async () => {
    const counted = await browser.get(`${lamps}&coupon=TEN`);
    for (const said of ['$44.10', '−$4.90', 'The coupon <strong><bdi>TEN</bdi></strong> is applied.'])
      expect(counted.text).toContain(said);
    const refused = await browser.get(`${lamps}&coupon=NO`);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(
      /<input id="coupon"[^>]* value="NO" aria-invalid="true" aria-describedby="coupon-problem">/,
    );
    expect(refused.text).toContain('<a href="#coupon">');
    expect((await submit(refused)).status).toBe(303);
    expect(JSON.parse(opened.shop.orders[0]!.body)).not.toHaveProperty('coupon_code');
  });

  test('a code that the order does not take is shown at its field, with what it costs without', async () => {
    const page = await browser.get(`${lamps}&coupon=TEN`);
    opened.shop.next.set('/api/checkout', [refusing(409, 'coupon_invalid')]);
    const again = await submit(page);
    expect([again.status, again.text.includes('Pay $49.00')]).toEqual([400, true]);
    expect((await submit(again)).status).toBe(303);
  });

  test('WCAG 2.2 §3.3.1: what is wrong is said first, at the field, and nothing that was typed is lost', async () => {
    const page = await browser.get(lamps);
    const missing = await submit(page, { ...guest, email: ' ' });
    expect(missing.text).toContain('<title>There is a problem: Checkout');
    expect(missing.text).toContain('<a href="#email">Enter your e-mail address.</a>');
    expect(missing.text).toMatch(
      /<input id="email"[^>]* aria-invalid="true" aria-describedby="email-problem email-hint">/,
    );
    expect(missing.text).toMatch(/<input id="name"[^>]* value="Ada">/);
    opened.shop.next.set('/api/checkout', [
      refusing(422, 'validation_failed', [{ path: 'email', code: 'invalid_format' }]),
    ]);
    const wrong = await submit(page, { ...guest, email: hostile });
    expect([wrong.status, wrong.text.includes('Enter an e-mail address like')]).toEqual([400, true]);
    expect(wrong.text).not.toContain('<script');
    expect(opened.shop.orders).toEqual([]);
  });

  test('with another price by now it buys nothing, and shows the new one', async () => {
    opened.shop.next.set('/api/checkout', [refusing(409, 'price_changed')]);
    const again = await submit(await browser.get(lamps));
    expect([again.status, again.text.includes('The price is different by now')]).toEqual([409, true]);
  });

  test('a form buys once: sent twice, at the same time, and again after it failed', async () => {
    const page = await browser.get(lamps);
    opened.shop.next.set('/api/checkout', [refusing(409, 'idempotency_in_progress')]);
    const [one, two] = await Promise.all([submit(page), submit(page)]);
    expect([one.location, two.location]).toEqual([`/checkout/${opened.shop.orders[0]!.id}`, one.location]);
    expect((await submit(page)).location).toBe(one.location);
    opened.shop.next.set('/api/checkout', [refusing(503, 'temporarily_unavailable')]);
    const failed = await submit(await browser.get(lamps));
    expect([failed.status, failed.text.includes('nothing is bought twice')]).toEqual([503, true]);
    const keys = () =>
      opened.shop.seen.flatMap(({ path, headers }) => (path === '/api/checkout' ? headers['idempotency-key'] : []));
    expect((await submit(failed)).status).toBe(303);
    expect(keys().at(-1)).toBe(keys().at(-2));
    expect(opened.shop.orders).toHaveLength(2);
  });

  test('a form that was sent before with other details buys nothing, and gets a new key', async () => {
    const page = await browser.get(lamps);
    await submit(page);
    const again = await submit(page, { ...guest, name: 'Another' });
    expect([again.status, again.text.includes('This form was sent before')]).toEqual([409, true]);
    expect((await submit(again)).status).toBe(303);
    expect(opened.shop.orders).toHaveLength(2);
  });

  test.each([
    ['in another browser', (of: BrowserOfTests) => of.cookies.set('lyceum_checkout', 'x'.repeat(43))],
    ['in a browser without its cookie', (of: BrowserOfTests) => of.cookies.clear()],
    ['by somebody who signed in meanwhile', () => signIn()],
  ])('RFC 6749 §10.12: a form that is sent %s buys nothing', async (_, change) => {
    const page = await browser.get(lamps);
    change(browser);
    const refused = await submit(page);
    expect([refused.status, opened.shop.orders]).toEqual([403, []]);
    expect(refused.text).not.toContain('ada@example.org');
    expect(refused.text).toContain('<h1>Checkout</h1>');
  });

  test('a guest orders with the secrets of the orders of this browser, a member with none', async () => {
    const sent = () => opened.shop.seen.filter(({ path }) => path === '/api/checkout').at(-1)!.headers['order-secret'];
    await submit(await browser.get(lamps));
    expect(sent()).toBeUndefined();
    browser.cookies.set('lyceum_order_0195a3c2-7d10-7abc-8def-ffffffffffff', 'no secret');
    await submit(await browser.get(lamps));
    const [first, second] = opened.shop.orders;
    expect(sent()).toBe(first!.secret);
    await submit(await browser.get(lamps));
    expect(sent()?.split(', ').toSorted()).toEqual([first!.secret, second!.secret].toSorted());
    signIn();
    await submit(await browser.get(lamps), {});
    expect(sent()).toBeUndefined();
  });

  test('a form of another school, without a key, or without a tag buys nothing', async () => {
    const page = await browser.get(lamps);
    const elsewhere = new BrowserOfTests(opened.baseUrl, { 'x-school-id': 'school_2' });
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const sent = [
      elsewhere.post('/checkout', formOf(page, guest)),
      submit(page, { ...guest, key: '' }),
      submit(page, { ...guest, csrf: '' }),
    ];
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(opened.shop.orders).toEqual([]);
  });

  test.each([
    ['nothing', '/checkout', 404, 'There is nothing to buy here'],
    ['what there is not', '/checkout?item=course:nothing', 404, 'There is nothing to buy here'],
    ['what is malformed', '/checkout?item=course:../../account&item=card:1', 404, 'There is nothing to buy here'],
  ])('that names %s sells nothing', async (_, path, status, said) => {
    const page = await browser.get(path);
    expect([page.status, page.text.includes(said), page.text.includes('method="post"')]).toEqual([status, true, false]);
  });

  test.each([
    [409, 'sold_out', [], 'This is sold out'],
    [409, 'already_owned', [{ path: 'items.0.item_id', code: 'already_owned' }], 'You have this already'],
    [409, 'already_subscribed', [], 'You are subscribed already'],
    [422, 'validation_failed', [{ path: 'items.0.item_id', code: 'not_open' }], 'This is not for sale yet'],
    [422, 'validation_failed', [{ path: 'items.0.item_id', code: 'unknown_item' }], 'This is not for sale'],
    [409, 'currency_mismatch', [], 'This is not for sale'],
    [422, 'validation_failed', [{ path: 'items.0.item_id', code: 'for_members' }], 'Sign in to buy this'],
    [429, 'rate_limited', [], 'Too many tries'],
    [503, 'temporarily_unavailable', [], 'Not available at the moment'],
  ])('that is refused with %d %s %j says why', async (status, error, details, said) => {
    opened.shop.next.set('/api/checkout/quotes', [refusing(status, error, details, { 'retry-after': '7' })]);
    const page = await browser.get(lamps);
    expect([page.status, page.headers.get('retry-after')]).toEqual([status === 422 ? 409 : status, '7']);
    expect(page.text).toContain(`<h1>${said}</h1>`);
  });

  test('follows a former slug', async () => {
    expect((await browser.get('/checkout?item=course:former')).text).toContain('The lamps');
  });

  test('leads to the sign-in and back', async () => {
    const { text } = await browser.get(`${lamps}&coupon=TEN`);
    const href = /<a href="(\/oauth\/account\/sign-in[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    const to = new URL(href, opened.baseUrl).searchParams.get('to');
    expect(to).toBe('/checkout?item=course%3Alamps&coupon=TEN');
    expect((await browser.get(to!)).text).toContain('The coupon');
  });

  test('whatever stands in titles, codes and forms is text', async () => {
    const page = await browser.get(`/checkout?item=course:hostile&coupon=${encodeURIComponent(hostile)}`);
    expect(page.text).not.toMatch(/<script|<!--|onload="x/);
    expect(page.text).toContain('&lt;script&gt;');
    signIn(hostile);
    expect((await browser.get('/checkout?item=course:hostile')).text).not.toMatch(/<script|<!--|onload="x/);
  });

  test('is kept nowhere, framed by nobody, and runs nothing: its policy names the one style sheet that it has', async () => {
    for (const path of [lamps, '/checkout']) {
      const { text, headers } = await browser.get(path);
      const css = /<style>(.*?)<\/style>/s.exec(text)![1]!;
      const hash = createHash('sha256').update(css).digest('base64');
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'self' https: http:; frame-ancestors 'none'`,
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(text).not.toMatch(/<script|\sstyle=|\son\w+=/);
    }
  });

  test.each(uiLocales)('is in the language of the reader: %s', async (language) => {
    const { text } = await browser.get(lamps, { 'accept-language': `${language};q=0.9, fr` });
    const said = checkoutLanguages[language];
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`<h1>${said.title}</h1>`);
  });

  test('every language says everything, with the same slots', () => {
    const slots = (texts: unknown): unknown =>
      typeof texts === 'string'
        ? [...texts.matchAll(/\{\w+\}/g)].map(String).sort()
        : Object.fromEntries(Object.entries(texts as object).map(([key, value]) => [key, slots(value)]));
    for (const language of uiLocales)
      expect([language, slots(checkoutLanguages[language])]).toEqual([language, slots(checkoutLanguages.en)]);
  });
});

describe('requests to the checkout', () => {
  test('are answered by their method and path', async () => {
    const ask = (method: string, path: string) => fetch(opened.baseUrl + path, { method });
    const [head, put, options, other] = await Promise.all([
      ask('HEAD', lamps),
      ask('PUT', '/checkout'),
      ask('OPTIONS', '/checkout'),
      ask('GET', '/checkout/order_1'),
    ]);
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect([put.status, options.status, options.headers.get('allow'), other.status]).toEqual([
      405,
      204,
      'GET, HEAD, POST, OPTIONS',
      404,
    ]);
  });

  test('have forms of 16 KiB at most', async () => {
    const page = await browser.get(lamps);
    expect((await submit(page, { ...guest, more: 'x'.repeat(20_000) })).status).toBe(413);
    const json = await fetch(`${opened.baseUrl}/checkout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([json.status, opened.shop.orders]).toEqual([404, []]);
  });

  test('leave neither addresses nor secrets in the log, and secrets in no address', async () => {
    const placed = await submit(await browser.get(`${lamps}&coupon=TEN`));
    await browser.get(placed.location!);
    const [order] = opened.shop.orders;
    const lines = opened.logged.join('\n');
    expect(lines).toContain('/checkout/{order}');
    for (const secret of [
      order!.secret,
      order!.id,
      guest.email,
      'TEN',
      'lamps',
      session,
      browser.cookies.get('lyceum_checkout')!,
    ])
      expect(lines).not.toContain(secret);
    expect(placed.location).not.toContain(order!.secret);
    const paths = opened.shop.seen.map(({ path, querystring }) => path + querystring).join('\n');
    expect(paths).not.toContain(order!.secret);
  });

  test.each([
    ['closed', 410],
    ['suspended', 503],
  ] as const)('of a school that is %s are answered with %d', async (closure, status) => {
    const other = await openTestCheckout({ closure });
    try {
      expect((await new BrowserOfTests(other.baseUrl).get(lamps)).status).toBe(status);
      expect(other.shop.seen).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
