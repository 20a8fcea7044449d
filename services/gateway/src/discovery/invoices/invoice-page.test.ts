import { afterEach, describe, expect, test } from '@jest/globals';
import { type UiLanguage, uiLocales } from '@lyceum/contracts';
import { FakeClock } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { InvoiceDetail } from './invoice-detail.ts';
import { invoicePage } from './invoice-page.ts';
import { invoiceLanguages } from './invoice-texts.ts';
import { creditNoteOfTests, invoiceOfTests } from './testing/invoices.ts';

const site: Site = {
  name: 'School & <Sons>',
  baseUrl: 'https://school.example',
  docsUrl: 'https://docs.example',
  limitFactor: 1,
  hasMcp: false,
};
const code = `0195a3c2-7d10-7abc-8def-0123456789ab-${'A'.repeat(43)}`;

const pageOf = (invoice: InvoiceDetail, language: UiLanguage = 'en') =>
  invoicePage(site, { look: undefined }, invoice, language);
const htmlOf = (...given: Parameters<typeof pageOf>): string => pageOf(...given).body.toString();
/** The rows of a page as people read them. */
const rowsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]*>/g, '|')
      .replaceAll(/\|+/g, '|')
      .replaceAll(/\s/g, ' '),
  );

describe('the page of an invoice', () => {
  test('says who sells what to whom, and what it cost with the tax that was added', () => {
    const html = htmlOf(invoiceOfTests());
    for (const each of [
      'INV-000042',
      'January 5, 2026',
      'School Lda\nRua 1',
      'Byron Ltd\nAda\nRua 2\nPortugal\nTax ID: PT9',
    ])
      expect(html).toContain(each);
    expect(html).toContain('Paid on January 5, 2026');
    expect(rowsOf(html)).toEqual([
      '|Description|Quantity|Price|Amount|',
      '|Lanterns|1|$100.00|$100.00|',
      '|Looms|2|$10.00|$20.00|',
      '|Subtotal|$120.00|',
      '|Discount|-$12.00|',
      '|Tax 23% on $108.00|$24.84|',
      '|Total|$132.84|',
    ]);
  });

  test('with tax in the prices says how much of the total it is', () => {
    const taxes = [{ rate_bp: 1950, net: usd(11_117), tax: usd(2_167) }];
    const rows = rowsOf(htmlOf(invoiceOfTests({ tax_inclusive: true, taxes, discount_total: usd(0) })));
    expect(rows.slice(-2)).toEqual(['|Total|$132.84|', '|Includes tax 19.5% on $111.17|$21.67|']);
    expect(rows.join()).not.toContain('Discount');
  });

  test('of a refund is a credit note, with the invoice that it is about', () => {
    const html = htmlOf(creditNoteOfTests(), 'de');
    expect(html).toContain('<h1>Rechnungskorrektur</h1>');
    expect(html).toContain('Zu Rechnung INV-000042 · Zurückgezahlt am 6. Januar 2026.');
    expect(rowsOf(html).map((row) => row.replaceAll(/\s/g, ' '))).toEqual([
      '|Beschreibung|Betrag|',
      '|Lanterns|100,00 $|',
      '|Steuer 23 % auf 100,00 $|23,00 $|',
      '|Erstattet gesamt|123,00 $|',
    ]);
  });

  test.each([
    ['en', 'In place of credit note CN-000001, which was not paid out · Paid on January 5, 2026.'],
    ['de', 'Anstelle der Rechnungskorrektur CN-000001, die nicht ausgezahlt wurde · Bezahlt am 5. Januar 2026.'],
    ['pt', 'Em lugar da nota de crédito CN-000001, que não foi paga · Paga em 5 de janeiro de 2026.'],
    ['ko', '지급되지 않은 환불 명세서 CN-000001 대체 · 2026년 1월 5일에 결제되었습니다.'],
  ] as const)('of what a refund took off that failed says so, in %s', (language, words) =>
    expect(htmlOf(invoiceOfTests({ of_credit_note: { label: 'CN-000001' } }), language)).toContain(words),
  );

  test.each([
    ['JPY', '¥13,284', '¥24'],
    ['KWD', 'KWD 13.284', 'KWD 0.024'],
  ])('writes %s with the digits that it has', (currency, total, tax) => {
    const detail = invoiceOfTests();
    const money = (amount: number) => ({ amount, currency });
    const lines = detail.lines.map((line) => ({
      ...line,
      unit_price: money(1),
      discount: money(0),
      tax: money(0),
      total: money(1),
    }));
    const taxes = [{ rate_bp: 2300, net: money(100), tax: money(24) }];
    const html = htmlOf({
      ...detail,
      lines,
      taxes,
      total: money(13_284),
      subtotal: money(1),
      discount_total: money(0),
    });
    expect(
      rowsOf(html)
        .slice(-2)
        .map((row) => row.split('|')[2]),
    ).toEqual([tax, total]);
  });

  test('of a buyer who was erased has the country only, or nothing', () => {
    const buyer = { name: null, company: null, address: null, tax_id: null, country: 'PT' };
    expect(htmlOf(invoiceOfTests({ buyer }))).toMatch(/<h2>To<\/h2><p><bdi>Portugal<\/bdi>/);
    expect(htmlOf(invoiceOfTests({ buyer: { ...buyer, country: null } }))).toMatch(/<h2>To<\/h2><p><bdi>—<\/bdi>/);
    expect(htmlOf(invoiceOfTests({ buyer: { ...buyer, country: 'A' } }))).toMatch(/<h2>To<\/h2><p><bdi>A<\/bdi>/);
  });

  test('whatever stands in an invoice is text', () => {
    const hostile = `</style><script>alert("1")</script><!-- $& {school} ' onload="x`;
    const detail = invoiceOfTests();
    const html = htmlOf({
      ...detail,
      label: hostile,
      seller: { name: hostile, details: hostile },
      buyer: { name: hostile, company: hostile, address: hostile, tax_id: hostile, country: hostile },
      lines: detail.lines.map((line) => ({ ...line, title: hostile })),
    });
    expect(html).not.toMatch(/<script|<!--|onload="x/);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(Object.keys(invoiceLanguages).sort()).toEqual([...uiLocales].sort());
  });

  test('runs and loads nothing, and is kept nowhere on the way', () => {
    const { body, bodyHeaders, cacheHeaders } = pageOf(invoiceOfTests());
    const css = /<style>(.*?)<\/style>/s.exec(body.toString())?.[1] ?? '';
    const hash = createHash('sha256').update(css).digest('base64');
    expect(bodyHeaders['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(cacheHeaders).toMatchObject({ 'Cache-Control': 'no-store', Vary: expect.stringContaining('Accept,') });
  });
});

const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('at the edge', () => {
  let edge: TestEdge;
  afterEach(() => edge.close());
  const open = () =>
    openTestEdge(
      {},
      {
        clock: new FakeClock(),
        async invoiceOf({ id }, given) {
          if (given === 'broken') throw new Error('away');
          return given === code && id === 'school_home' ? invoiceOfTests() : undefined;
        },
      },
    );
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test('a browser gets the page, a program what the service says; no code stands in the log', async () => {
    edge = await open();
    const page = await edge.ask('GET', `/invoices/${code}`, browser);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('INV-000042');
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
    await edge.ask('GET', `/invoices/${code}`, { Accept: 'application/json' });
    expect(edge.seen.map(({ service, method }) => `${service} ${method}`)).toEqual(['commerce GET']);
    expect((await edge.ask('GET', '/invoices/nobody', browser)).status).toBe(404);
    expect((await edge.ask('GET', '/invoices/broken', browser)).status).toBe(503);
    expect(edge.logged[0]).toMatchObject({ status: 200, route: '/invoices/{code}' });
    expect(JSON.stringify(edge.logged)).not.toContain(code);
  });
});
