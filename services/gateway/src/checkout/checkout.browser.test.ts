import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Look } from '@lyceum/contracts';
import { launchBrowser, noBrowser } from '@lyceum/testkit';
import axe from 'axe-core';
import { join } from 'node:path';
import { hostile, openTestCheckout, taxedQuote } from './testing/shop-of-tests.ts';

const shots = process.env['SCREENSHOTS'];
const browser = await launchBrowser();
if (!browser) process.stderr.write(`skipped: the checkout in a browser (${noBrowser})\n`);
const inBrowser = browser ? describe : describe.skip;

type Page = Awaited<ReturnType<NonNullable<typeof browser>['newPage']>>;
type Opened = Awaited<ReturnType<typeof openTestCheckout>>;

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong: rule and place. Its source is run in the page, whose policy this context passes over. */
async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ content: axe.source });
  return page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

/** How many pixels the page is too wide. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Buttons and fields that are less than 44 px high. */
const low = `[...document.querySelectorAll('input:not([type=hidden]), button, .button')]
  .filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)`;

const looks: Readonly<Record<string, Look | undefined>> = {
  plain: undefined,
  lantern: {
    palette: { accent: '#b4481e', background: '#f7f1e8', surface: '#ffffff', text: '#2a1d14' },
    typography: 'serif',
    layout: 'card',
    dark_mode: 'auto',
    logo_text: null,
  },
};

const guest = { email: 'ada@example.org', name: 'Ada' };
const lamps = '/checkout?item=course:lamps&item=digital_product:files';

/** Buys in the page, and changes the order that came of it. */
const ordered =
  (status: string, more: object = {}, provider = 'test') =>
  async (page: Page, { baseUrl, shop }: Opened): Promise<void> => {
    shop.provider = provider;
    await page.goto(baseUrl + lamps);
    await page.fill('#email', guest.email);
    await page.click('form[method=post] button');
    await page.waitForURL('**/checkout/order_*');
    const order = shop.orders.at(-1)!;
    order.order = { ...order.order, status, ...more };
    if (order.payment && provider === 'manual') order.payment['instructions'] = 'Bank of Lanterns\nIBAN PT50 0000 0000';
    await page.reload();
  };

const visit =
  (path: string) =>
  async (page: Page, { baseUrl }: Opened): Promise<void> =>
    void (await page.goto(baseUrl + path));

const paid_at = '2026-01-05T08:05:00.000Z';
const gallery: Readonly<Record<string, (page: Page, opened: Opened) => Promise<void>>> = {
  guest: visit(`${lamps}&coupon=TEN`),
  plan: visit('/checkout?item=membership_plan:trial'),
  taxed: async (page, { baseUrl, shop }) => {
    shop.next.set('/api/checkout/quotes', [{ status: 200, body: taxedQuote, headers: {} }]);
    await page.goto(`${baseUrl}/checkout?item=membership_plan:friends&coupon=HALF`);
  },
  hostile: visit(`/checkout?item=course:hostile&coupon=${encodeURIComponent(hostile)}`),
  nothing: visit('/checkout'),
  faulty: async (page, { baseUrl }) => {
    await page.goto(`${baseUrl}${lamps}&coupon=NO`);
    await page.fill('#email', ' ');
    // Without what the browser itself checks.
    await page.evaluate(`document.querySelector('form[method=post]').noValidate = true`);
    await page.click('form[method=post] button');
  },
  test: ordered('pending'),
  transfer: ordered('pending', {}, 'manual'),
  paid: ordered('paid', { paid_at, fulfilled_at: paid_at }),
  failed: ordered('failed'),
  expired: ordered('expired'),
};

/** In the look of a school only those with colours that the others do not have. */
const inLook: Readonly<Record<string, readonly string[]>> = {
  plain: Object.keys(gallery),
  lantern: ['guest', 'faulty', 'test', 'paid'],
};
const views = [
  ['light', 1280],
  ['light', 320],
  ['dark', 1280],
] as const;

inBrowser.each(Object.keys(looks))('the checkout in Chromium, in the look %s', (look) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openTestCheckout({ ...(looks[look] && { look: looks[look] }) });
    opened.shop.seller = {
      timezone: 'Europe/Lisbon',
      contact_email: 'hello@lantern.example',
      legal: { terms: 'https://l.example/t', privacy: 'https://l.example/p', imprint: 'https://l.example/i' },
    };
  });
  afterAll(() => opened.close());

  test.each(inLook[look] ?? [])(
    'WCAG 2.2 AA: axe finds nothing in %s, light and dark, wide and narrow',
    async (name) => {
      const page = await browser!.newPage({ bypassCSP: true });
      await gallery[name]!(page, opened);
      for (const [colorScheme, width] of views) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 700 });
        expect([name, colorScheme, width, await violations(page)]).toEqual([name, colorScheme, width, []]);
        expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
        expect(await page.evaluate(low)).toEqual([]);
        const path = `${look}-${name}-${colorScheme}-${width}.png`;
        if (shots) await page.screenshot({ path: join(shots, path), fullPage: true });
      }
      // At a zoom of 200 %, and with text alone twice as large.
      await page.setViewportSize({ width: 640, height: 400 });
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
      if (shots) await page.screenshot({ path: join(shots, `${look}-${name}-zoom.png`), fullPage: true });
      await page.close();
    },
  );
});

inBrowser('the checkout in Chromium', () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openTestCheckout();
  });
  afterAll(() => opened.close());

  test('loads nothing, and breaks no rule of its policy', async () => {
    const page = await browser!.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    page.on('request', (request) => void requests.push(request.url()));
    await page.goto(opened.baseUrl + lamps);
    expect([complaints, requests.filter((each) => !each.startsWith('data:'))]).toEqual([[], [opened.baseUrl + lamps]]);
    await page.close();
  });

  test.each(['de', 'pt', 'ko'])('in %s it fits at 320 px', async (locale) => {
    const page = await browser!.newPage({ locale, viewport: { width: 320, height: 640 } });
    for (const name of ['guest', 'taxed', 'transfer', 'paid']) {
      await gallery[name]!(page, opened);
      expect(await page.evaluate('document.documentElement.lang')).toBe(locale);
      expect([name, await page.evaluate(overflow)]).toEqual([name, 0]);
      if (shots) await page.screenshot({ path: join(shots, `${locale}-${name}.png`), fullPage: true });
    }
    await page.close();
  });

  test('from right to left it fits, with nothing wrong', async () => {
    const page = await browser!.newPage({ bypassCSP: true, viewport: { width: 320, height: 640 } });
    await gallery['guest']!(page, opened);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    expect([await page.evaluate(overflow), await violations(page)]).toEqual([0, []]);
    await page.close();
  });

  test('WCAG 2.2 §2.1.1, §3.3.1: the keyboard alone buys, and gets from a problem to its field', async () => {
    const page = await browser!.newPage();
    await gallery['faulty']!(page, opened);
    expect(await page.title()).toMatch(/^There is a problem/);
    await page.focus('.problem a');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('email');
    await page.keyboard.type(guest.email);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/checkout/order_*');
    expect(await page.textContent('h1')).toBe('Waiting for your payment');
    await page.close();
  });

  test('WCAG 2.2 §2.1.1, §2.4.1: from the top of the page Tab and Enter reach the payment, in the order of the page', async () => {
    const page = await browser!.newPage({ javaScriptEnabled: true });
    await page.goto(opened.baseUrl + lamps);
    const focused = () => page.evaluate<string>(`document.activeElement.id || document.activeElement.textContent`);
    const passed: string[] = [];
    const tabTo = async (what: string) => {
      for (let times = 0; times < 12 && passed.at(-1) !== what; times += 1) {
        await page.keyboard.press('Tab');
        passed.push(await focused());
      }
    };
    await tabTo('email');
    expect(passed).toEqual(['Skip to content', 'School & <Sons>', 'coupon', 'Apply', 'Sign in', 'email']);
    await page.keyboard.type(guest.email);
    await tabTo('Pay $56.00');
    expect(passed.slice(6)).toEqual(['name', 'Pay $56.00']);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/checkout/order_*');
    await tabTo('Let the payment succeed');
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.keyboard.press('Enter');
    await sent;
    expect(opened.shop.asked.at(-1)).toMatchObject({ kind: 'test_payment', outcome: 'captured' });
    await page.close();
  });

  test('the provider’s page is reached from the form, whose policy lets it through', async () => {
    const other = await openTestCheckout();
    try {
      opened.shop.provider = 'stripe';
      opened.shop.url = `${other.baseUrl}/checkout?item=course:gift`;
      const page = await browser!.newPage({ javaScriptEnabled: false });
      await page.goto(opened.baseUrl + lamps);
      await page.fill('#email', guest.email);
      await page.click('form[method=post] button');
      await page.waitForURL(`${other.baseUrl}/**`);
      await page.close();
    } finally {
      opened.shop.provider = 'test';
      opened.shop.url = null;
      await other.close();
    }
  });
});

afterAll(() => browser?.close());
