import { afterEach, describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import { FakeClock } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { type TestEdge, addSchool, openTestEdge } from '../../testing/test-edge.ts';
import type { CertificateDetail } from './certificate-detail.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { certificatePage } from './certificate-page.ts';
import { certificateLanguages } from './certificate-texts.ts';

const site: Site = {
  name: 'School & <Sons>',
  baseUrl: 'https://school.example',
  docsUrl: 'https://docs.example',
  limitFactor: 1,
  hasMcp: false,
};
const code = '7ZK3M-9Q2RT-0VXA4-HJ6PC';
const certificate: CertificateDetail = {
  code,
  name: 'Ana Sousa',
  course_title: 'Paper lanterns',
  completed_on: '2026-01-05',
  valid: true,
};
const look = {
  palette: { accent: '#b4481e', background: '#f7f1e8', surface: '#ffffff', text: '#2a1d14' },
  typography: 'serif',
  layout: 'card',
  dark_mode: 'dark',
  logo_text: null,
} as const;

const pageOf = (change: Partial<CertificateDetail> = {}, language: 'en' | 'de' = 'en') =>
  certificatePage(site, { look: undefined }, { ...certificate, ...change }, language);
const htmlOf = (...given: Parameters<typeof pageOf>) => pageOf(...given).body.toString();

describe('the page of a certificate', () => {
  test('says who completed what and when, in the language of the reader, and where that is verified', () => {
    const said = [
      'lang="de"',
      'Ana Sousa',
      'Paper lanterns',
      '5. Januar 2026',
      code,
      `school.example/certificates/${code}`,
    ];
    const html = htmlOf({}, 'de');
    for (const each of said) expect(html).toContain(each);
    expect(html).toContain('School &amp; &lt;Sons&gt;');
    expect(Object.keys(certificateLanguages).sort()).toEqual([...uiLocales].sort());
  });

  test('whatever stands in a certificate is text', () => {
    const hostile = `</style><script>alert("1")</script><!-- $& {school} ' onload="x`;
    const html = htmlOf({ name: hostile, course_title: hostile, code: hostile });
    expect(html).not.toMatch(/<script|<!--|onload="x/);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
  });

  test('runs and loads nothing: its policy names the one style sheet that it has', () => {
    for (const each of [undefined, look]) {
      const { body, bodyHeaders, cacheHeaders } = certificatePage(site, { look: each }, certificate, 'en');
      const css = /<style>(.*?)<\/style>/s.exec(body.toString())![1]!;
      const hash = createHash('sha256').update(css).digest('base64');
      expect(bodyHeaders['Content-Security-Policy']).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect(cacheHeaders).toMatchObject({ 'Cache-Control': 'no-store', Vary: expect.stringContaining('Accept,') });
      expect(css).toContain('@page{size:A4 landscape');
    }
  });

  test('that was revoked is no certificate to print', () => {
    const html = htmlOf({ valid: false });
    expect(html).toContain('has revoked this certificate');
    expect(html).not.toContain('class="sheet"');
  });
});

describe('at the edge', () => {
  let edge: TestEdge;
  afterEach(() => edge.close());
  const asked: string[] = [];
  const open = (more: Parameters<typeof openTestEdge>[1] = {}) =>
    openTestEdge(
      {},
      {
        clock: new FakeClock(),
        async certificateOf({ id }, given) {
          asked.push(given);
          if (given === 'broken') throw new Error('away');
          return given === code && id === 'school_home' ? certificate : undefined;
        },
        ...more,
      },
    );
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const path = `/certificates/${code}`;

  test('a browser gets the page, a program what the service says', async () => {
    edge = await open();
    const page = await edge.ask('GET', path, browser);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Ana Sousa');
    expect(page.headers).toMatchObject({
      ratelimit: expect.stringContaining('"anonymous"'),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    for (const Accept of ['application/json', '*/*', 'text/html;q=0.1, application/json'])
      await edge.ask('GET', path, { Accept });
    await edge.ask('POST', path, browser);
    expect(edge.seen.map(({ service, method }) => `${service} ${method}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'learning GET'),
      'learning POST',
    ]);
  });

  test('no such certificate is a page with 404, one that cannot be read 503; no code stands in the log', async () => {
    edge = await open();
    const missing = await edge.ask('GET', '/certificates/7ZK3M', browser);
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const away = await edge.ask('GET', '/certificates/broken', browser);
    expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
    await edge.ask('GET', path, browser);
    expect(edge.logged).toMatchObject([
      { status: 404, route: '/certificates/{code}' },
      { status: 503, route: '/certificates/{code}' },
      { status: 200, route: '/certificates/{code}' },
    ]);
    expect(JSON.stringify(edge.logged)).not.toMatch(/7ZK3M/);
  });

  test.each([
    ['suspended', 503],
    ['closed', 410],
  ] as const)('a school that is %s shows none', async (closure, status) => {
    edge = await open();
    edge.hosts.change(Object.freeze({ ...edge.hosts.byId('school_home')!, closure }));
    for (const headers of [browser, { Accept: 'application/json' }])
      expect((await edge.ask('GET', path, headers)).status).toBe(status);
  });

  test('a certificate of another school is none', async () => {
    edge = await open();
    addSchool(edge.hosts, { id: 'school_other', host: 'other.example', base_url: 'http://other.example' });
    expect((await edge.ask('GET', path, { ...browser, Host: 'other.example' })).status).toBe(404);
  });

  test('RFC 6585 §4: whoever tries codes is refused beyond the limit of strangers, and nothing is looked up', async () => {
    edge = await open({ factor: 2 / 120 });
    asked.length = 0;
    const statuses = [];
    for (let tried = 0; tried < 4; tried += 1)
      statuses.push((await edge.ask('GET', `/certificates/WRONG-${tried}`, browser)).status);
    expect([statuses, asked.length]).toEqual([[404, 404, 429, 429], 2]);
  });
});
