import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Place, describeTopologies, launchBrowser, noBrowser } from '@lyceum/testkit';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const shots = process.env['SCREENSHOTS'];
const chromium = await launchBrowser();

/** A person at a real browser signs in and consents with the keyboard alone, for a client that waits on a loopback port. */
if (!chromium) describe.skip(`sign-in and consent in Chromium: ${noBrowser}`, () => test('is not run', () => {}));
else
  await describeTopologies('sign-in and consent in Chromium', ({ open }) => {
    let system: Place;
    let close: () => Promise<unknown>;
    let listener: Server;
    const arrived: URL[] = [];
    beforeAll(async () => {
      ({ system, close } = await open());
      listener = createServer((request, response) => {
        arrived.push(new URL(request.url!, 'http://127.0.0.1'));
        response.end('You may close this window.');
      });
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    }, 400_000);
    afterAll(async () => {
      listener.close();
      listener.closeAllConnections();
      await close();
    });

    test.each([
      ['desktop', { width: 1280, height: 800 }],
      ['phone', { width: 360, height: 740 }],
    ])('%s: keyboard only, and the loopback redirect is not blocked by the page policy', async (name, viewport) => {
      const { port } = listener.address() as AddressInfo;
      const client = await Client.register(system.baseUrl, {
        client_name: 'Course sync tool',
        redirect_uris: ['http://127.0.0.1/callback'],
      });
      const redirect_uri = `http://127.0.0.1:${port}/callback`;
      const context = await chromium!.newContext({ viewport });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      const picture = (step: string) =>
        shots && page.screenshot({ path: join(shots, `${name}-${step}.png`), fullPage: true });

      const { url, verifier } = client.start('openid profile courses:read courses:write', { redirect_uri });
      await page.goto(url.href);
      await picture('sign-in');
      await page.locator('input[name=email]').focus();
      await page.keyboard.type('owner@lantern.test');
      await page.keyboard.press('Tab');
      await page.keyboard.type(system.password);
      await page.keyboard.press('Enter');

      await page.locator('input[name=scope]').first().waitFor();
      await picture('consent');
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate('`${document.activeElement.name}=${document.activeElement.value}`');
        if (focused === 'decision=approve') break;
      }
      await page.keyboard.press('Enter');
      await page.waitForURL(`${redirect_uri}?*`);
      expect(await page.textContent('body')).toContain('You may close this window');
      await picture('returned');

      const landed = arrived.findLast((each) => each.pathname === '/callback')!;
      expect(landed.searchParams.get('iss')).toBe(system.baseUrl);
      expect(landed.searchParams.get('state')).toBe(url.searchParams.get('state'));
      const { status } = await client.redeem(landed.searchParams.get('code')!, verifier, redirect_uri);
      expect(status).toBe(200);
      expect(complaints).toEqual([]);
      await context.close();
    });
  });

afterAll(() => chromium?.close());
