import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type System, launchBrowser, startSystem } from '@lyceum/testkit';

const browser = await launchBrowser();
const inBrowser = browser ? describe : describe.skip;
afterAll(() => browser?.close());

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 320, height: 640 } };

type Page = Awaited<ReturnType<NonNullable<typeof browser>['newPage']>>;

/** What axe finds wrong: rule and place. */
const violations = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => id + ' ' + target + ': ' + html.slice(0, 200))))`);

/** How much wider the page is than the window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

inBrowser('the API reference in Chromium', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  }, 400_000);
  afterAll(() => system.stop());

  test('a person signs in on it for what an operation needs and tries it, and nothing is asked of another host', async () => {
    const page = await browser!.newPage();
    const [complaints, strangers]: [string[], string[]] = [[], []];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', ({ message }) => void complaints.push(message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(system.baseUrl) && !url.startsWith('data:')) strangers.push(url);
    });
    await page.goto(`${system.baseUrl}/docs`);
    await page.getByText('List courses').first().waitFor();
    await page.evaluate(`location.hash = '#?route=get-/api/courses'`);
    await page.click('#enter');
    await page.fill('input[type=password]', system.password);
    await page.fill('input[name=email]', 'owner@lantern.test');
    await page.click('button.primary');
    await page.click('button[value=approve]');
    await page.waitForSelector('#out:not([hidden])');
    expect(await page.textContent('#status')).toMatch(/^Signed in with openid, courses:read for \d+ minutes/);
    expect(page.url()).not.toContain('code=');

    await page.evaluate(`location.hash = '#?route=get-/api/school'`);
    await page.waitForSelector('#enter:not([hidden])');
    await page.evaluate(`location.hash = '#?route=get-/api/courses'`);
    await page.waitForSelector('#enter', { state: 'hidden' });
    const tried = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/courses');
    await page
      .getByRole('button', { name: /^(try|execute|send)/i })
      .first()
      .click();
    const request = await tried;
    expect(await request.headerValue('authorization')).toMatch(/^Bearer ey/);
    expect((await (await request.response())!.json()).view).toBe('staff');
    await page.click('#out');
    await page.waitForSelector('#enter:not([hidden])');
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 90_000);

  test.each([
    ['/', ['light', 'dark']],
    ['/courses/foundations', ['light', 'dark']],
    // The reference has one look.
    ['/docs', ['light']],
    ['/docs#?route=get-/api/courses', ['light']],
  ] as const)(
    'WCAG 2.2 AA, §1.4.10: axe finds nothing on %s, which fits a phone',
    async (path, schemes) => {
      const page = await browser!.newPage({ bypassCSP: true });
      await page.goto(system.baseUrl + path);
      if (path.startsWith('/docs')) await page.getByText('List courses').first().waitFor();
      await page.addScriptTag({ content: axe.source });
      for (const colorScheme of schemes)
        for (const [name, size] of Object.entries(sizes)) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(size);
          expect([name, colorScheme, await violations(page)]).toEqual([name, colorScheme, []]);
          expect([name, await page.evaluate(overflow)]).toEqual([name, 0]);
        }
      await page.close();
    },
    60_000,
  );
});
