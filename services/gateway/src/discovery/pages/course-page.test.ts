import { describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import type { CourseDetail } from '../content/course-detail.ts';
import { coursePage } from './course-page.ts';
import { CoursePageCache } from './course-page-cache.ts';
import { courseLanguages } from './course-texts.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { Document } from '../../http/document.ts';
import type { Offer } from '../content/offers.ts';
import { richTextHtml } from '../text/rich-text-html.ts';
import { schoolFrom } from '../../routing/school.ts';

const site: Site = {
  name: 'School & <Sons>',
  baseUrl: 'https://school.example',
  docsUrl: 'https://docs.example',
  limitFactor: 1,
  hasMcp: false,
};
const offer: Offer = {
  id: 'course_1',
  kind: 'course',
  name: 'Paper',
  slug: 'paper-lanterns',
  summary: null,
  access: 'paid',
  prices: [{ amount: 4900, currency: 'USD' }],
  seats: 'few',
  days: 30,
  lessons: 2,
  updated_at: '2026-01-05T08:00:00.000Z',
  path: '/api/courses/course_1',
};
const hostile = `</script><script>alert("1")</script><!-- & 'x'`;
const course: CourseDetail = {
  title: 'Paper lanterns',
  subtitle: 'From scratch',
  summary: 'Cut, fold and light',
  description: [{ type: 'paragraph', text: [{ text: 'Light ' }, { text: 'paper', marks: ['bold'] }] }],
  level: 'beginner',
  language: 'pt-PT',
  certificate: true,
  duration_s: 5_400,
  lecturers: [{ display_name: 'Ana Duarte', title: 'Paper artist' }],
  curriculum: { sections: [{ title: 'Frames', lessons: [{ title: 'Folding', duration_s: 540, preview: true }] }] },
};
const plain = { look: undefined };
const pageOf = (change: Partial<CourseDetail> = {}, of: Partial<Offer> = {}, language: 'en' | 'de' = 'en') =>
  coursePage(site, plain, { offer: { ...offer, ...of }, course: { ...course, ...change } }, language).body.toString();
const dataIn = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as Record<string, unknown>;

describe('the page of a course', () => {
  test('shows what it covers, who teaches it and what it costs, in the language of the reader', () => {
    const html = pageOf({}, {}, 'de');
    for (const said of [
      'lang="de"',
      '49,00',
      '30 Tage',
      'Ana Duarte',
      'Für Einsteiger',
      'Portugiesisch',
      'Folding',
      'Vorschau · 9 Minuten',
      '1 Stunde 30 Minuten',
      '<strong>paper</strong>',
      'Nur noch wenige',
    ])
      expect(html).toContain(said);
    expect(Object.keys(courseLanguages).sort()).toEqual([...uiLocales].sort());
  });

  test('says that it is sold out, in place of the way to the checkout, where no seat is left', () => {
    expect([pageOf().includes('/checkout?'), pageOf().includes('Sold out')]).toEqual([true, false]);
    const none = pageOf({}, { seats: 'none' });
    expect([none.includes('/checkout?'), none.includes('Sold out'), none.includes('None left')]).toEqual([
      false,
      true,
      true,
    ]);
    expect(dataIn(none)['offers']).toMatchObject([{ availability: 'https://schema.org/SoldOut' }]);
  });

  test('whatever stands in a course is text: in the page, in its attributes and in the data for search engines', () => {
    const html = pageOf({
      title: hostile,
      subtitle: hostile,
      summary: `" onmouseover="x`,
      description: [{ type: 'paragraph', text: [{ text: hostile, marks: ['code', 'constructor'] }] }],
      level: hostile,
      language: hostile,
      lecturers: [{ display_name: hostile, title: hostile }],
      curriculum: { sections: [{ title: hostile, lessons: [{ title: hostile, duration_s: 0, preview: false }] }] },
    });
    expect(html.match(/<script/g)).toEqual(['<script']);
    expect(html).not.toContain('<!--');
    expect(html).toContain('content="&quot; onmouseover=&quot;x"');
    expect(dataIn(html)).toMatchObject({ name: hostile });
  });

  test('CSP3 §3: nothing runs, and no style but its own counts', () => {
    const { body, bodyHeaders } = coursePage(site, plain, { offer, course }, 'en');
    const style = /<style>(.*?)<\/style>/s.exec(body.toString())![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(bodyHeaders['Content-Security-Policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
  });

  test('schema.org: search engines read the course, its school, its price and its teachers', () => {
    expect(dataIn(pageOf())).toMatchObject({
      '@type': 'Course',
      name: 'Paper lanterns',
      description: 'Cut, fold and light',
      url: 'https://school.example/courses/paper-lanterns',
      provider: { name: site.name },
      offers: [{ price: '49.00', priceCurrency: 'USD', category: 'Paid' }],
      hasCourseInstance: [{ courseMode: 'Online', courseWorkload: 'PT90M', instructor: [{ name: 'Ana Duarte' }] }],
    });
    expect(dataIn(pageOf({}, { access: 'free', prices: [] }))['offers']).toMatchObject([{ category: 'Free' }]);
    expect(dataIn(pageOf({}, { access: 'members', prices: [] }))).not.toHaveProperty('offers');
  });

  test('rich text becomes elements of ours; links lead only to the web and to mail', () => {
    const text = [
      { text: 'here', link: 'https://a.example/?a=1&b="2"' },
      { text: 'no', link: 'javascript:alert(1)' },
    ];
    expect(
      richTextHtml([
        { type: 'heading', level: 2, text: [{ text: 'A' }] },
        { type: 'list', ordered: true, items: [text] },
        { type: 'strange' },
      ]),
    ).toBe(
      '<h3>A</h3>\n<ol><li><a href="https://a.example/?a=1&amp;b=&quot;2&quot;" rel="noopener noreferrer nofollow">here</a>no</li></ol>\n',
    );
    for (const odd of [undefined, 'text', [null, 1, { type: 'list', items: 'x' }, { type: 'code', code: 7 }]])
      expect(() => richTextHtml(odd)).not.toThrow();
  });
});

describe('the pages of courses', () => {
  const school = schoolFrom({ id: 'school_1', name: 'S', host: 'school.example', base_url: site.baseUrl })!;
  const asked = { site, school, offers: [offer], slug: offer.slug, language: 'en' } as const;

  test('are made once for each reading of the offers, also for many at once', async () => {
    let reads = 0;
    const pages = new CoursePageCache(async () => ((reads += 1), course));
    const all = await Promise.all(Array.from({ length: 20 }, () => pages.at(asked)));
    expect(new Set(all).size).toBe(1);
    await pages.at(asked);
    expect(reads).toBe(1);
    await pages.at({ ...asked, offers: [offer] });
    expect(reads).toBe(2);
  });

  test('a name that is not offered is read by nobody, and what cannot be read is tried again', async () => {
    let fails = true;
    const pages = new CoursePageCache(async () => {
      if (fails) throw new Error('away');
      return course;
    });
    expect(await pages.at({ ...asked, offers: [] })).toBe('missing');
    expect(await pages.at({ ...asked, offers: [{ ...offer, kind: 'digital_product' }] })).toBe('missing');
    expect(await pages.at({ ...asked, offers: undefined })).toBe('unavailable');
    expect(await pages.at(asked)).toBe('unavailable');
    fails = false;
    expect(((await pages.at(asked)) as Document).body.toString()).toContain('Paper lanterns');
  });

  test('are found from the cards of the landing page; elsewhere is a page that says so, or JSON', async () => {
    const edge: TestEdge = await openTestEdge({}, { offers: [offer], courseOf: async () => course });
    try {
      const landing = (await edge.ask('GET', '/', { accept: 'text/html' })).text;
      const path = /href="(\/courses\/[^"]+)"/.exec(landing)![1]!;
      const found = await edge.ask('GET', path, { 'accept-language': 'ko' });
      expect([found.status, found.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(found.text).toContain('lang="ko"');
      expect(found.headers['vary']).toContain('Accept-Language');
      const again = await edge.ask('GET', path, { 'accept-language': 'ko', 'if-none-match': found.headers['etag']! });
      expect(again.status).toBe(304);
      expect((await edge.ask('GET', '/courses/nothing-here')).status).toBe(404);
      const missing = await edge.ask('GET', '/courses/nothing-here', { accept: 'text/html' });
      expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect((await edge.ask('POST', path)).status).toBe(405);
    } finally {
      await edge.close();
    }
  });
});
