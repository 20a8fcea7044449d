import { afterAll, describe, expect, test } from '@jest/globals';
import { launchBrowser } from '@lyceum/testkit';
import axe from 'axe-core';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import type { InvoiceDetail } from './invoice-detail.ts';
import { creditNoteOfTests, invoiceOfTests } from './testing/invoices.ts';

const browser = await launchBrowser();
const inBrowser = browser ? describe : describe.skip;

const short = invoiceOfTests();
const long = invoiceOfTests({
  buyer: { ...short.buyer, name: 'Maximiliana-Konstantinopoulou-Featherstonehaugh-de-Vasconcelos-e-Outros'.repeat(2) },
  lines: Array.from({ length: 60 }, (_, at) =>
    short.lines.map((line) => ({ ...line, title: `${line.title} ${at}` })),
  ).flat(),
});
const invoices: Readonly<Record<string, InvoiceDetail>> = { SHORT: short, LONG: long, NOTE: creditNoteOfTests() };

const edge: TestEdge = await openTestEdge({}, { invoiceOf: async (_school, code) => invoices[code] });
afterAll(async () => {
  await browser?.close();
  await edge.close();
});

inBrowser('the page of an invoice', () => {
  test.each([
    ['SHORT', 1],
    ['NOTE', 1],
    ['LONG', 5],
  ])('loads nothing, fits a narrow screen, and is printed on A4 and Letter: %s', async (code, sheets) => {
    const page = await browser!.newPage({ viewport: { width: 360, height: 700 } });
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    page.on('request', (request) => void requests.push(request.url()));
    const url = `http://127.0.0.1:${edge.port}/invoices/${code}`;
    await page.goto(url);
    expect([complaints, requests.filter((each) => !each.startsWith('data:'))]).toEqual([[], [url]]);
    // Text runs in the browser, where this program's types are not.
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    for (const [format, width, height] of [
      ['A4', 595, 842],
      ['Letter', 612, 792],
    ] as const) {
      const printed = (await page.pdf({ format, preferCSSPageSize: true, printBackground: true })).toString('latin1');
      const boxes = [...printed.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
      const sizes = boxes.map(([, wide, high]) => [Math.round(Number(wide)), Math.round(Number(high))]);
      // In points, to the next one.
      const [wide = 0, high = 0] = sizes[0] ?? [];
      expect([Math.abs(wide - width) <= 1, Math.abs(high - height) <= 1]).toEqual([true, true]);
      expect(sizes.length).toBeLessThanOrEqual(sheets);
    }
    await page.close();
  });

  test.each(['light', 'dark'] as const)('WCAG 2.2 AA: axe finds nothing, in %s', async (colorScheme) => {
    for (const [code, lang] of [
      ['SHORT', 'de'],
      ['NOTE', 'ko'],
    ] as const) {
      // What runs axe is no part of the page, whose policy lets nothing run.
      const page = await browser!.newPage({ colorScheme, bypassCSP: true, locale: lang });
      await page.goto(`http://127.0.0.1:${edge.port}/invoices/${code}`);
      await page.addScriptTag({ content: axe.source });
      const found = await page.evaluate(
        `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
      );
      expect([await page.evaluate('document.documentElement.lang'), found]).toEqual([lang, []]);
      const shots = process.env['SCREENSHOTS'];
      if (shots !== undefined) {
        await page.screenshot({ path: `${shots}/invoice-${code}-${colorScheme}.png`, fullPage: true });
        await page.emulateMedia({ media: 'print', colorScheme });
        await page.setViewportSize({ width: 680, height: 1_010 });
        await page.screenshot({ path: `${shots}/invoice-${code}-print.png`, fullPage: true });
        await page.pdf({
          path: `${shots}/invoice-${code}.pdf`,
          format: 'A4',
          preferCSSPageSize: true,
          printBackground: true,
        });
      }
      await page.close();
    }
  });
});

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
