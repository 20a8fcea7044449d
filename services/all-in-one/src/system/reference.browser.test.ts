import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type System, launchBrowser, startSystem } from '@lyceum/testkit';

const browser = await launchBrowser();
const inBrowser = browser ? describe : describe.skip;
afterAll(() => browser?.close());

inBrowser('the API reference in Chromium', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  }, 180_000);
  afterAll(() => system.stop());

  test('a person signs in on it and tries an operation, and nothing is asked of another host', async () => {
    const page = await browser!.newPage();
    const [complaints, strangers]: [string[], string[]] = [[], []];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', ({ message }) => void complaints.push(message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(system.baseUrl) && !url.startsWith('data:')) strangers.push(url);
    });
    await page.goto(`${system.baseUrl}/docs`);
    await page.click('#read');
    await page.fill('input[type=password]', system.password);
    await page.fill('input[name=email]', 'owner@lantern.test');
    await page.click('button.primary');
    await page.click('button[value=approve]');
    await page.waitForSelector('#out:not([hidden])');
    expect(await page.textContent('#status')).toMatch(/^Signed in: \d+ scopes/);
    expect(page.url()).not.toContain('code=');

    await page.evaluate(`location.hash = '#?route=get-/api/courses'`);
    const tried = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/courses');
    await page
      .getByRole('button', { name: /^(try|execute|send)/i })
      .first()
      .click();
    const request = await tried;
    expect(await request.headerValue('authorization')).toMatch(/^Bearer ey/);
    expect((await (await request.response())!.json()).view).toBe('staff');
    await page.click('#out');
    await page.waitForSelector('#read:not([hidden])');
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 90_000);
});
