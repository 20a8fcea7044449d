import { describe, expect, test } from '@jest/globals';
import type { Look } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import { schoolFrom } from '../../routing/school.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { landingLanguages } from '../content/landing-texts.ts';
import { landingJson, landingPage } from './landing-page.ts';
import type { Offer } from '../content/offers.ts';

const site: Site = {
  name: 'School',
  baseUrl: 'https://school.example',
  docsUrl: 'https://docs.example/?a=1&b=2',
  limitFactor: 1,
  hasMcp: false,
};
const offer: Offer = {
  id: 'course_1',
  kind: 'course',
  name: 'Paper & <light>',
  slug: 'paper',
  summary: 'A <b>lantern</b>',
  access: 'paid',
  prices: [{ amount: 4900, currency: 'USD' }],
  seats: 'available',
  days: null,
  lessons: 3,
  updated_at: '2026-01-05T08:00:00.000Z',
  path: '/api/courses/course_1',
};
const look: Look = {
  palette: { accent: '#9a3f12', background: '#f8f1e7', surface: '#fffdf9', text: '#2a1d14' },
  typography: 'serif',
  layout: 'banner',
  dark_mode: 'light',
  logo_text: null,
};
const plain = { look: undefined, isOpen: false } as const;
const page = (name: string) => landingPage({ ...site, name }, plain, [], 'en');

describe('the page of a school', () => {
  test('the name of a school is text, whatever stands in it', () => {
    const html = page(`<script>alert("1")</script> & 'Sons'`).body.toString();
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Sons&#39;');
  });

  test('it shows what is offered with its price, as text', () => {
    const html = landingPage(site, plain, [offer], 'en').body.toString();
    expect(html).toContain('Paper &amp; &lt;light&gt;');
    expect(html).toContain('A &lt;b&gt;lantern&lt;/b&gt;');
    expect(html).toContain('$49.00');
  });

  test('it leads to the checkout for what is sold and can be bought, and names it to those who hear links', () => {
    const linksTo = (change: Partial<Offer>) =>
      [
        ...landingPage(site, plain, [{ ...offer, ...change }], 'en')
          .body.toString()
          .matchAll(/href="(\/checkout[^"]*)"/g),
      ].map(([, href]) => href);
    expect(linksTo({})).toEqual(['/checkout?item=course:paper']);
    expect(linksTo({ kind: 'membership_plan', access: undefined })).toEqual(['/checkout?item=membership_plan:paper']);
    for (const change of [{ access: 'free' }, { access: 'members' }, { prices: [] }, { seats: 'none' }])
      expect(linksTo(change)).toEqual([]);
    const soldOut = (change: Partial<Offer>) =>
      landingPage(site, plain, [{ ...offer, ...change }], 'en')
        .body.toString()
        .includes('Sold out');
    expect([soldOut({ seats: 'none' }), soldOut({ seats: 'few' })]).toEqual([true, false]);
    expect([soldOut({ seats: 'none', access: 'free' }), soldOut({ seats: 'none', kind: 'membership_plan' })]).toEqual([
      true,
      false,
    ]);
    const html = landingPage(site, plain, [offer], 'en').body.toString();
    expect(html).toContain('id="buy-course-paper" aria-labelledby="buy-course-paper course-paper"');
    const { offers } = JSON.parse(landingJson(site, [offer, { ...offer, prices: [] }]).body.toString());
    expect(offers.map(({ checkout_url }: { checkout_url: unknown }) => checkout_url)).toEqual([
      'https://school.example/checkout?item=course:paper',
      null,
    ]);
  });

  test('it says that nothing is published, or that nobody can tell, which is not kept', () => {
    expect(landingPage(site, plain, [], 'en').body.toString()).toContain('Nothing is published yet');
    const unknown = landingPage(site, plain, undefined, 'en');
    expect(unknown.body.toString()).toContain('cannot be shown at the moment');
    expect(unknown.cacheHeaders['Cache-Control']).toBe('no-store');
  });

  test('a button signs in, and another opens an account where the school lets everybody', () => {
    const [invited, open] = [false, true].map((isOpen) =>
      landingPage(site, { ...plain, isOpen }, [], 'en').body.toString(),
    );
    for (const html of [invited, open]) {
      expect(html).toContain('href="https://school.example/oauth/account"');
      expect(html).not.toContain('your details');
    }
    expect([invited, open].map((html) => html!.includes('/oauth/sign-up'))).toEqual([false, true]);
  });

  test('it names the documents of the school', () => {
    const html = page('School').body.toString();
    for (const path of ['/openapi.json', '/llms.txt', '/auth.md', '/pricing.md', '/docs'])
      expect(html).toContain(`href="https://school.example${path}"`);
    expect(html).toContain('href="https://docs.example/?a=1&amp;b=2"');
  });

  test.each([undefined, look])(
    'its content security policy allows exactly the style it has, and no script, frame or form',
    (worn) => {
      const { body, bodyHeaders } = landingPage(site, { ...plain, look: worn }, [offer], 'en');
      const style = /<style>([^]*)<\/style>/.exec(body.toString())![1]!;
      const hash = createHash('sha256').update(style).digest('base64');
      expect(bodyHeaders['Content-Security-Policy']).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
    },
  );

  test.each(Object.entries(landingLanguages))('it speaks the language of its reader: %s', (tag, said) => {
    const [school, language] = [{ look: undefined, isOpen: true }, tag as 'en'];
    const open = { ...offer, access: 'open' };
    const plan: Offer = { ...offer, kind: 'membership_plan', access: undefined };
    const none: Offer = { ...offer, seats: 'none' };
    const when = { starts_at: '2026-02-01T18:00:00.000Z', ends_at: '2026-02-01T20:00:00.000Z', timezone: 'UTC' };
    const evening: Offer = { ...offer, kind: 'event', slug: 'evening', when };
    const offered = [offer, open, plan, none, evening];
    const html = landingPage({ ...site, hasMcp: true }, school, offered, language).body.toString();
    expect(html).toContain('<a href="/events/evening">');
    expect(html).toContain('<time datetime="2026-02-01T18:00:00.000Z">');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }).format(49));
    const { lang: _, signInFrom, all, unknown, nothing, prices, ...shown } = said;
    for (const text of [...Object.values(shown).flat(), prices.open]) expect(html).toContain(text);
    expect(html).toContain(signInFrom.split('{host}')[0]);
    expect(html).not.toMatch(/\{\w+\}/);
    const many = landingPage(
      site,
      school,
      Array.from({ length: 61 }, () => offer),
      language,
    ).body.toString();
    expect(many).toContain(all.replace('{count}', '61'));
    expect(landingPage(site, school, [], language).body.toString()).toContain(nothing);
    expect(landingPage(site, school, undefined, language).body.toString()).toContain(unknown);
    expect(
      Object.values({ ...shown, all, unknown, nothing, signInFrom, ...prices })
        .flat()
        .join(''),
    ).not.toMatch(/[<>&]/);
  });

  test.each([
    ['pt-BR', 'pt'],
    ['KO', 'ko'],
    ['fr', 'en'],
    [undefined, 'en'],
  ])('a school whose locale is %s has pages in %s', (locale, language) => {
    const named = { id: 'school_1', name: 'School', host: 'school.example', base_url: site.baseUrl };
    expect(schoolFrom({ ...named, locale })!.language).toBe(language);
  });

  test('it wears the look of the school', () => {
    const html = landingPage(site, { ...plain, look }, [], 'en').body.toString();
    expect(html).toContain('--page:#f8f1e7');
    expect(html).toContain('color-scheme:light;');
    expect(html).toContain('Palatino');
  });

  test('RFC 8631 §4: its Link header leads to the description and the documentation of the API', () => {
    const { bodyHeaders } = page('School');
    expect(bodyHeaders['Link']).toContain('<https://school.example/openapi.json>; rel="service-desc"');
    expect(bodyHeaders['Link']).toContain('<https://school.example/docs>; rel="service-doc"');
    expect(bodyHeaders['Link']).toContain('<https://school.example/.well-known/api-catalog>; rel="api-catalog"');
  });

  test('a program gets the same as JSON', () => {
    const json = JSON.parse(landingJson(site, [offer]).body.toString());
    expect(json).toMatchObject({ name: 'School', base_url: 'https://school.example' });
    expect(json.offers).toMatchObject([
      {
        id: 'course_1',
        prices: [{ amount: 4900, currency: 'USD' }],
        url: 'https://school.example/api/courses/course_1',
      },
    ]);
  });
});
