import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { schoolFrom } from '../../routing/school.ts';
import type { Document } from '../../http/document.ts';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import { type Moved, SiteCache } from './site-cache.ts';
import type { Found, PageDetail } from './site-detail.ts';
import { isOfSite } from './site-paths.ts';
import type { SiteSummary } from './site-summary.ts';

const school = schoolFrom({ id: 'school_1', name: 'Lantern', host: 'a.example', base_url: 'https://a.example' })!;
const site = { name: 'Lantern', baseUrl: 'https://a.example', docsUrl: '', limitFactor: 1, hasMcp: false };
const at = '2026-01-05T08:00:00.000Z';
const summaryOf = (...slugs: string[]): SiteSummary => ({
  pages: slugs.map((slug) => ({ slug, title: slug, seo: { noindex: slug === 'hidden' }, updated_at: at })),
  posts: ['public', 'members', 'plans'].map((visibility, index) => ({
    id: `post_0000000${index}-0000-7000-8000-000000000000`,
    slug: `for-${visibility}`,
    title: `For <${visibility}> & others\u0001\ufffe`,
    visibility,
    published_at: at,
    updated_at: at,
  })),
  navigation: [],
  legal: {},
  css: '',
  home: [],
});
const pageOf = (slug: string): PageDetail => ({ title: slug, slug, blocks: [], seo: { noindex: false } });

function cacheOf(read: (slug: string) => Promise<Found<PageDetail>>) {
  const asked: string[] = [];
  const cache = new SiteCache({
    page: (_school, slug) => (asked.push(slug), read(slug)),
    post: () => Promise.resolve(undefined),
  });
  const at = (path: string, summary: SiteSummary | undefined, language: 'en' | 'de' = 'en') =>
    cache.at(path, { site, school, summary, offers: [], language });
  return { at, asked };
}

const textOf = (made: Document | Moved | string): string =>
  typeof made === 'string' || 'location' in made ? JSON.stringify(made) : made.body.toString();

describe('the site of a school', () => {
  test.each([
    ['/p/terms', true],
    ['/posts', true],
    ['/posts/a-post', true],
    ['/posts.atom', true],
    ['/sitemap.xml', true],
    ['/p/', false],
    ['/p/a', false],
    ['/p/UPPER', false],
    ['/p/a-page/', false],
    ['/p/a-page/more', false],
    ['/p/%2e%2e', false],
    ['/p/page_0195', false],
    ['/api/posts', false],
  ])('has %s: %s', (path, expected) => expect(isOfSite(path)).toBe(expected));

  test('is read once for each reading of its lists, and each language', async () => {
    const { at, asked } = cacheOf(async (slug) => pageOf(slug));
    const [first, second] = [summaryOf('our-way'), summaryOf('our-way')];
    await at('/p/our-way', first);
    await at('/p/our-way', first);
    expect(asked).toHaveLength(1);
    await at('/p/our-way', first, 'de');
    await at('/p/our-way', second);
    expect(asked).toHaveLength(3);
  });

  test('leads from former addresses to present ones', async () => {
    const { at } = cacheOf(async () => ({ movedTo: 'new-way' }));
    expect(await at('/p/old-way', summaryOf('new-way'))).toEqual({ location: '/p/new-way' });
    expect(await at('/p/home', summaryOf('home'))).toEqual({ location: '/' });
  });

  test('has nothing where nothing is, and does not say so when nobody can tell', async () => {
    let away = true;
    const { at, asked } = cacheOf(async () => {
      if (away) throw new Error('away');
      return undefined;
    });
    const summary = summaryOf();
    expect(await at('/p/nowhere', undefined)).toBe('unavailable');
    expect(await at('/p/nowhere', summary)).toBe('unavailable');
    away = false;
    expect(await at('/p/nowhere', summary)).toBe('missing');
    expect(await at('/p/nowhere', summary)).toBe('missing');
    expect(asked).toHaveLength(2);
  });

  test('is read four times at once at most for names that it does not have', async () => {
    const waiting: (() => void)[] = [];
    const { at, asked } = cacheOf(() => new Promise((resolve) => waiting.push(() => resolve(undefined))));
    const all = Array.from({ length: 20 }, (_, index) => at(`/p/name-${index}`, summaryOf('known')));
    expect(asked).toHaveLength(4);
    for (const each of waiting) each();
    const made = await Promise.all(all);
    expect(made.filter((each) => each === 'unavailable')).toHaveLength(16);
    const later = at('/p/name-99', summaryOf());
    expect(asked).toHaveLength(5);
    waiting.at(-1)!();
    expect(await later).toBe('missing');
  });
});

describe('the feed and the sitemap', () => {
  const { at } = cacheOf(async (slug) => pageOf(slug));

  test('RFC 4287: the feed has what is for everybody, whole addresses, and names that stay', async () => {
    const feed = textOf(await at('/posts.atom', summaryOf()));
    expect(feed).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/);
    expect(feed.match(/<entry>/g)).toHaveLength(1);
    expect(feed).toContain('<title type="text">For &lt;public&gt; &amp; others</title>');
    expect(feed).toContain('<id>urn:uuid:00000000-0000-7000-8000-000000000000</id>');
    expect(feed).toContain('href="https://a.example/posts/for-public"');
    expect(feed).not.toMatch(/for-members|for-plans/);
    // eslint-disable-next-line no-control-regex -- these are what XML may not hold
    expect(feed).not.toMatch(/[\u0001\ufffe]/);
    const empty = textOf(await at('/posts.atom', { ...summaryOf(), posts: [] }));
    expect(empty).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
  });

  test('the sitemap has what is public and wants to be found', async () => {
    const map = textOf(await at('/sitemap.xml', summaryOf('home', 'our-way', 'hidden')));
    const urls = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!.slice('https://a.example'.length));
    expect(urls).toEqual(['/', '/p/our-way', '/posts', '/posts/for-public', '/posts/for-members', '/posts/for-plans']);
  });
});

describe('over HTTP', () => {
  let edge: TestEdge;
  const summary = summaryOf('our-way');
  beforeAll(async () => {
    edge = await openTestEdge(
      {},
      {
        summary,
        siteReading: {
          page: async (_school, slug) =>
            slug === 'old-way' ? { movedTo: 'our-way' } : slug === 'our-way' ? pageOf(slug) : undefined,
          post: async () => undefined,
        },
      },
    );
  });
  afterAll(() => edge.close());

  const get = (path: string, headers = {}) => edge.ask('GET', path, headers);

  test('a page has an ETag, 304 for whoever has it, and 308 at its former address', async () => {
    const page = await get('/p/our-way');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const again = await get('/p/our-way', { 'if-none-match': page.headers['etag'] });
    expect(again.status).toBe(304);
    const old = await get('/p/old-way');
    expect([old.status, old.headers['location']]).toEqual([308, '/p/our-way']);
    expect((await get('/p/nothing-here')).status).toBe(404);
  });

  test.each([
    ['/posts', 'text/html; charset=utf-8'],
    ['/posts.atom', 'application/atom+xml; charset=utf-8'],
    ['/sitemap.xml', 'application/xml; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
  ])('%s is %s', async (path, type) => {
    const got = await get(path);
    expect([got.status, got.headers['content-type']]).toEqual([200, type]);
    expect(got.headers['etag']).toMatch(/^"/);
  });

  test('llms.txt leads to pages and posts', async () => {
    const text = (await get('/llms.txt')).text;
    expect(text).toContain('/p/our-way');
    expect(text).toContain('/posts/for-public');
  });
});
