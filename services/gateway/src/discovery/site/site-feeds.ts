import { type Document, document } from '../../http/document.ts';
import { coursePath } from '../pages/course-page.ts';
import type { Offer } from '../content/offers.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { htmlText } from '../text/html-text.ts';
import { sitePaths } from './site-paths.ts';
import type { PostEntry, SiteSummary } from './site-summary.ts';

/** What no XML may hold, not even escaped. @see XML 1.0 §2.2 */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const xml = (text: string): string => htmlText(text.replaceAll(forbidden, ''));

/** Posts that the feed has, as feeds have. */
const mostInFeed = 50;

/** A name of a post that stays when its address does not. @see RFC 4151, RFC 4287 §4.2.6 */
const entryId = ({ id }: PostEntry): string => `urn:uuid:${id.slice(id.indexOf('_') + 1)}`;

const entry = (post: PostEntry, { baseUrl }: Site): string => `<entry>
<id>${xml(entryId(post))}</id>
<title type="text">${xml(post.title)}</title>
<link rel="alternate" type="text/html" href="${xml(baseUrl + sitePaths.post(post.slug))}"/>
<published>${xml(post.published_at ?? post.updated_at)}</published>
<updated>${xml(post.published_at ?? post.updated_at)}</updated>
${post.excerpt ? `<summary type="text">${xml(post.excerpt)}</summary>\n` : ''}</entry>`;

/** The newest posts that are for everybody, as a feed. @see RFC 4287 */
export function atomFeed(site: Site, { posts }: Pick<SiteSummary, 'posts'>): Document {
  const shown = posts
    .filter(({ visibility }) => visibility === 'public')
    .toSorted((one, other) => (other.published_at ?? '').localeCompare(one.published_at ?? ''))
    .slice(0, mostInFeed);
  const updated = shown[0]?.published_at ?? '1970-01-01T00:00:00.000Z';
  const self = site.baseUrl + sitePaths.feed;
  const feed = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(self)}</id>
<title type="text">${xml(site.name)}</title>
<link rel="self" type="application/atom+xml" href="${xml(self)}"/>
<link rel="alternate" type="text/html" href="${xml(site.baseUrl + sitePaths.posts)}"/>
<author><name>${xml(site.name)}</name></author>
<updated>${xml(updated)}</updated>
${shown.map((post) => entry(post, site)).join('\n')}
</feed>
`;
  return document('application/atom+xml; charset=utf-8', feed, { cache: 'public, no-cache' });
}

const address = (url: string, changed?: string | null): string =>
  `<url><loc>${xml(url)}</loc>${changed ? `<lastmod>${xml(changed)}</lastmod>` : ''}</url>`;

/** What search engines are to look at: everything that is public and wants to be found. @see sitemaps.org */
export function sitemap({ baseUrl }: Site, { pages, posts }: SiteSummary, offers: readonly Offer[]): Document {
  const found = pages.filter(({ slug, seo }) => slug !== 'home' && !seo.noindex);
  const urls = [
    address(`${baseUrl}/`),
    ...found.map(({ slug, updated_at }) => address(baseUrl + sitePaths.page(slug), updated_at)),
    ...(posts.length > 0 ? [address(baseUrl + sitePaths.posts)] : []),
    ...posts.map(({ slug, updated_at }) => address(baseUrl + sitePaths.post(slug), updated_at)),
    ...offers
      .filter(({ kind }) => kind === 'course')
      .map(({ slug, updated_at }) => address(baseUrl + coursePath(slug), updated_at)),
  ];
  const text = `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
  return document('application/xml; charset=utf-8', text, { cache: 'public, no-cache' });
}

/** What search engines are asked to leave alone. @see RFC 9309 */
export const robots = ({ baseUrl }: Pick<Site, 'baseUrl'>): Document =>
  document(
    'text/plain; charset=utf-8',
    `User-agent: *\nDisallow: /api/\nDisallow: /oauth/\nDisallow: /checkout\nDisallow: /mcp\n\nSitemap: ${baseUrl}${sitePaths.sitemap}\n`,
  );
