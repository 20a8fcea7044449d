import { afterAll, describe, expect, test } from '@jest/globals';
import { launchBrowser } from '@lyceum/testkit';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import type { CertificateDetail } from './certificate-detail.ts';

const browser = await launchBrowser();
const inBrowser = browser ? describe : describe.skip;

const certificates: Readonly<Record<string, Partial<CertificateDetail>>> = {
  SHORT: { name: 'Ana Sousa', course_title: 'Paper lanterns' },
  LONG: {
    name: 'Maximiliana Alexandra Konstantinopoulou-Featherstonehaugh de Vasconcelos',
    course_title: `Everything about paper lanterns, ${'from the choice of the paper to the rain, '.repeat(4)}`,
  },
};

const edge: TestEdge = await openTestEdge(
  {},
  {
    certificateOf: async (_school, code) => ({
      code: '7ZK3M-9Q2RT-0VXA4-HJ6PC',
      name: '',
      course_title: '',
      completed_on: '2026-01-05',
      valid: true,
      ...certificates[code],
    }),
  },
);
afterAll(async () => {
  await browser?.close();
  await edge.close();
});

inBrowser('the page of a certificate', () => {
  test.each(['SHORT', 'LONG'])(
    'loads nothing, fits a narrow screen, and is printed on one sheet across: %s',
    async (code) => {
      const page = await browser!.newPage({ viewport: { width: 360, height: 700 } });
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => void complaints.push(message.text()));
      page.on('request', (request) => void requests.push(request.url()));
      const url = `http://127.0.0.1:${edge.port}/certificates/${code}`;
      await page.goto(url);
      expect([complaints, requests.filter((each) => !each.startsWith('data:'))]).toEqual([[], [url]]);
      // Text runs in the browser, where this program's types are not.
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const printed = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
      const boxes = [...printed.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
      // A4 across, in points.
      expect(boxes.map(([, width, height]) => [Math.round(Number(width)), Math.round(Number(height))])).toEqual([
        [842, 595],
      ]);
      await page.close();
    },
  );
});
