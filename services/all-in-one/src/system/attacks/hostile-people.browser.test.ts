import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  Client,
  type System,
  call,
  hostileFileNames,
  hostileFormulas,
  hostileLines,
  hostileMarkup,
  launchBrowser,
  noBrowser,
  patience,
  startSystem,
} from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { HostileSite } from '../../testing/attacks/hostile-site.ts';
import { inForce } from '../../testing/in-force.ts';
import { joinByInvitation } from '../../testing/joining.ts';
import { settledOutbox } from '../../testing/attacks/outbox.ts';
import { takePayment } from '../../testing/selling/sales-operator.ts';
import { WatchedPage } from '../../testing/attacks/watched-page.ts';

const chromium = await launchBrowser();
/** The cells of a file, line breaks in quotes and all. @see RFC 4180 §2 */
const cellsOf = (csv: string): readonly string[] =>
  [...csv.matchAll(/(?<=^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?=,|\r\n|$)/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );

const texts = [...hostileMarkup, ...hostileLines];
jest.setTimeout(300_000);

/** What visitors, buyers, members and clients write about themselves, through the real API and pages. */
(chromium ? describe : describe.skip)(`hostile people of a school${chromium ? '' : `: ${noBrowser}`}`, () => {
  let system: System;
  let site: HostileSite;
  let watched: WatchedPage;
  let form: string;
  let paid: { readonly id: string };
  let free: { readonly id: string };
  let evening: { readonly id: string };

  beforeAll(async () => {
    system = await startSystem({ env: { PAYMENT_PROVIDERS: 'test' } });
    site = await HostileSite.open(system);
    watched = await WatchedPage.open(chromium!, system.baseUrl);
    const few = hostileMarkup.slice(0, 3);
    ({ form } = await site.page(few));
    evening = await site.event(few);
    paid = await site.course(few);
    free = await site.course(few, { access: 'free', certificate: true, prices: [] });
    await site.post('/school', { name: hostileMarkup[0] }, 'PATCH');
  });
  afterAll(async () => {
    await chromium?.close();
    await system?.stop();
  });

  test('run nothing on the pages for signing in, in the names of clients', async () => {
    const faults: string[] = [];
    const { page } = watched;
    for (const value of texts) {
      const metadata = {
        client_name: value,
        redirect_uris: ['http://127.0.0.1:53682/callback'],
        application_type: 'native',
      };
      const made = await call(`${system.baseUrl}/api/oauth/register`, { json: metadata });
      if (made.status === 400) continue;
      const { url } = Client.known(system.baseUrl, made.body.client_id, metadata.redirect_uris[0]!).start('openid');
      const own = 'svg[aria-hidden=true],link[rel=icon]';
      faults.push(...(await watched.faultsAt(url.href, own)));
      if ((await page.locator('input[name=password]').count()) > 0) {
        await page.locator('input[name=email]').fill('owner@lantern.test');
        await page.locator('input[name=password]').fill(system.password);
        await page.keyboard.press('Enter');
        await page.locator('input[name=scope]').first().waitFor();
      }
      faults.push(...(await watched.faults(own)));
      expect(await page.locator('input[name=scope]').count()).toBeGreaterThan(0);
    }
    expect(faults).toEqual([]);
  });

  test('are cells of CSV that no spreadsheet computes', async () => {
    const names = [...hostileFormulas, ...texts];
    for (const [at, name] of names.entries()) {
      const answers = { email: `visitor-${at}@guests.test`, text: name };
      expect((await call(`${system.baseUrl}/api/forms/${form}/submissions`, { json: { answers } })).status).toBe(201);
      const json = { email: `guest-${at}@guests.test`, name };
      await call(`${system.baseUrl}/api/events/${evening.id}/registrations`, { json });
    }
    for (const path of [`/forms/${form}/submissions/export`, `/events/${evening.id}/registrations/export`]) {
      const all = await inForce(
        patience,
        async () => cellsOf((await site.api(path)).body),
        (cells) => cells.some((cell) => cell.includes(hostileMarkup.at(-2)!)),
      );
      // Something was looked at, formulas among it.
      expect([path, all.includes("'@SUM(A1)"), all.length > texts.length]).toEqual([path, true, true]);
      const cells = all.filter((cell) => /^\s*[=+\-@＋－＝＠]|^[\t\r\n]/u.test(cell) && !/^-?\d+$/.test(cell));
      expect([path, cells]).toEqual([path, []]);
    }
  });

  test('are no headers of files, and no other files', async () => {
    let sent = 0;
    for (const name of hostileFileNames) {
      const read = await site.file(name);
      if (!read) continue;
      sent += 1;
      const { headers } = read;
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="(?:[^"\\\r\n]|\\.)*"(?:; filename\*=UTF-8''[\w%.!~()-]*)?$/,
      );
      expect([headers.get('content-type')?.split(';')[0], headers.get('x-content-type-options')]).toEqual([
        'text/plain',
        'nosniff',
      ]);
    }
    expect(sent).toBeGreaterThan(2);
  });

  test('run nothing on the pages of orders, invoices and certificates, nor in any mail', async () => {
    const faults: string[] = [];
    for (const [at, value] of texts.entries()) {
      const headers = { 'idempotency-key': randomUUID() };
      const who = { name: value, invoice_to: { company: value, address: value } };
      const items = [{ item_type: 'course', item_id: paid.id }];
      const json = { items, email: `buyer-${at}@sold.test`, ...who };
      const made = await call(`${system.baseUrl}/api/checkout`, { headers, json });
      if (made.status === 422) continue;
      expect(made.status).toBe(201);
      expect((await takePayment(system, made.body.id)).status).toBe(200);
    }
    const email = `learner-${randomUUID()}@people.test`;
    const { token } = await joinByInvitation(system, email);
    await call(`${system.baseUrl}/api/account`, { method: 'PATCH', token, json: { name: hostileMarkup[3] } });
    const own = (path: string, json?: object, method?: string) =>
      call(`${system.baseUrl}/api${path}`, { token, ...(json ? { json } : {}), ...(method ? { method } : {}) });
    const enrolled = await inForce(
      patience,
      () => own('/account/enrollments', { course_id: free.id }),
      ({ status }) => status === 201,
    );
    const learned = await own(`/account/enrollments/${enrolled.body.id}/lessons`);
    const lesson = `/account/enrollments/${enrolled.body.id}/lessons/${learned.body.data[0].id}`;
    expect((await own(lesson, { state: 'completed' }, 'PUT')).status).toBe(200);
    for (const [at, body] of texts.entries())
      expect((await own('/comments', { host: free.id, body: `${at} ${body}` })).status).toBe(201);
    const certificates = () => own('/account/certificates');
    const issued = await inForce(patience, certificates, ({ body }) => body.data.length > 0);
    faults.push(...(await watched.faultsAt(`/certificates/${issued.body.data[0].code}`)));

    const invoices = new Set<string>();
    for (const { headers, html, text } of await settledOutbox(system)) {
      const known =
        'auto-submitted content-transfer-encoding content-type date from message-id mime-version subject to';
      expect(headers.filter((name) => !known.split(' ').includes(name))).toEqual([]);
      expect(new Set(headers).size).toBe(headers.length);
      const link = /http:\/\/[^\s"<>]+\/invoices\/[\w-]+/.exec(text)?.[0];
      if (link) invoices.add(link);
      if (!html) continue;
      // A mail has no policy: it has to be harmless by itself.
      await watched.page.goto('about:blank');
      await watched.page.setContent(html);
      faults.push(...(await watched.faults()));
    }
    expect(invoices.size).toBeGreaterThan(hostileMarkup.length / 2);
    for (const url of invoices) faults.push(...(await watched.faultsAt(url)));
    expect(faults).toEqual([]);
  });
});
