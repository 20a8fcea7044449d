import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { networkInterfaces } from 'node:os';
import { browseGallery } from '../testing/pages/browsing.ts';
import { consentModel, signInModel } from '../testing/pages/models.ts';
import { focused } from '../testing/pages/page-scripts.ts';

const { browser, servers, posted, onward, at, open, close } = await browseGallery();
const inBrowser = browser ? describe : describe.skip;
afterAll(close);

beforeEach(() => {
  posted.length = 0;
  onward.leadsTo = '/answered';
});

inBrowser('the pages by keyboard alone', () => {
  const tabThrough = async (page: Awaited<ReturnType<typeof open>>['page'], stops: number): Promise<unknown[]> => {
    const order: unknown[] = [];
    for (let stop = 0; stop < stops; stop += 1) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate(focused));
    }
    return order;
  };

  test('sign-in: the cursor waits in the e-mail field, Tab reaches the password, Enter sends both', async () => {
    const { page, complaints } = await open('/sign-in');
    expect(await page.evaluate(focused)).toBe('input email');
    await page.keyboard.type('student@lantern.test');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe('input password');
    await page.keyboard.type('  a "pass" & word ');
    await page.keyboard.press('Enter');
    await page.waitForURL(at('/answered'));
    expect(posted.map((form) => [...form])).toEqual([
      [
        ...Object.entries(signInModel.form.hidden),
        ['email', 'student@lantern.test'],
        ['password', '  a "pass" & word '],
      ],
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('sign-in: after a failure the cursor waits in the password field', async () => {
    const { page } = await open('/sign-in-again');
    expect(await page.evaluate(focused)).toBe('input password');
    expect(await tabThrough(page, 1)).toEqual(['button primary']);
    await page.close();
  });

  test('consent: Tab goes from the skip link through the boxes to Deny, then Allow', async () => {
    const { page } = await open('/consent');
    expect(await tabThrough(page, 8)).toEqual([
      'a skip',
      'a home',
      ...consentModel.scopes.map(({ name }) => `input scope ${name}`),
      'button decision deny',
      'button decision approve',
    ]);
    await page.close();
  });

  test('consent: Space unticks a box, Enter in a box decides nothing, Enter on Allow sends what is left', async () => {
    const { page } = await open('/consent');
    await page.getByRole('checkbox', { name: /courses:write/ }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(200);
    expect([page.url(), posted]).toEqual([at('/consent'), []]);
    await page.getByRole('button', { name: 'Allow' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(at('/answered'));
    expect(posted[0]?.getAll('scope')).toEqual(['openid', 'courses:read', 'account:write']);
    expect(posted[0]?.getAll('decision')).toEqual(['approve']);
    await page.close();
  });

  test('consent: Deny says so', async () => {
    const { page } = await open('/consent');
    await page.getByRole('button', { name: 'Deny' }).press('Enter');
    await page.waitForURL(at('/answered'));
    expect(posted[0]?.getAll('decision')).toEqual(['deny']);
    await page.close();
  });

  test('consent: a problem takes the focus', async () => {
    const { page } = await open('/consent-again');
    expect(await page.evaluate(focused)).toBe('p problem');
    await page.close();
  });

  test('WCAG 2.2 §2.4.7: whatever has the focus shows it', async () => {
    const { page } = await open('/consent');
    for (let stop = 0; stop < 8; stop += 1) {
      await page.keyboard.press('Tab');
      const outline = 'parseFloat(getComputedStyle(document.activeElement).outlineWidth)';
      expect(await page.evaluate(outline)).toBeGreaterThanOrEqual(2);
      expect(await page.evaluate('document.activeElement.getBoundingClientRect().top')).toBeGreaterThanOrEqual(0);
    }
    await page.close();
  });
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

inBrowser('the policy of the pages in Chromium', () => {
  const arrived: RequestListener = (_, response) => response.end('arrived');

  test.each(['127.0.0.1', 'localhost', ...(hasIPv6 ? ['[::1]'] : [])])(
    'RFC 8252 §7.3: a form post may end at a client that listens on http://%s, and where that client leads on',
    async (host) => {
      const last = await servers.serve(arrived);
      const toLast: RequestListener = (_, response) =>
        response.writeHead(302, { Location: `http://127.0.0.1:${last}/done` }).end();
      onward.leadsTo = `http://${host}:${await servers.serve(toLast, host === '[::1]' ? '::1' : '127.0.0.1')}/callback?code=1`;
      for (const path of ['/sign-in', '/consent']) {
        const { page, complaints } = await open(path);
        await page.evaluate('document.forms[0].noValidate = true');
        await page.locator('button.primary').click();
        await page.waitForURL(`http://127.0.0.1:${last}/done`);
        expect(complaints).toEqual([]);
        await page.close();
      }
    },
  );

  test('a script, an inline style or an image that was smuggled in has no effect', async () => {
    const { page, complaints } = await open('/consent');
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<b id="smuggled" style="color: red" onclick="window.ran = 1">x</b><img src="/image">');
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))`);
    await page.locator('#smuggled').click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#smuggled')).color`)).not.toBe(
      'rgb(255, 0, 0)',
    );
    expect(complaints.filter((line) => line.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(4);
    await page.close();
  });

  test('RFC 9700 §4.16: another site cannot frame a page', async () => {
    const framing = await servers.serve((_, response) =>
      response.setHeader('Content-Type', 'text/html').end(`<iframe src="${at('/consent')}"></iframe>`),
    );
    const { page } = await open('/error');
    await page.goto(`http://localhost:${framing}/`);
    expect(await page.frames().at(-1)?.locator('form').count()).toBe(0);
    await page.close();
  });

  test('a client that opened a popup has its window back when the popup comes home', async () => {
    const home = await servers.serve((request, response) =>
      response
        .setHeader('Content-Type', 'text/html')
        .end(request.url === '/callback' ? '' : `<button onclick="window.open('${at('/consent')}')">x</button>`),
    );
    onward.leadsTo = `http://localhost:${home}/callback`;
    const { page } = await open('/error');
    await page.goto(`http://localhost:${home}/`);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()]);
    await popup.getByRole('button', { name: 'Allow' }).click();
    await popup.waitForURL(onward.leadsTo);
    expect(await popup.evaluate('window.opener !== null')).toBe(true);
    await page.close();
  });

  test('with no-referrer the form comes with Origin: null, so the origin can be no proof against CSRF', async () => {
    const seen: (string | undefined)[] = [];
    const { page } = await open('/consent');
    page.on('request', (request) => request.method() === 'POST' && seen.push(request.headers()['origin']));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(at('/answered'));
    expect(seen).toEqual(['null']);
    await page.close();
  });
});
