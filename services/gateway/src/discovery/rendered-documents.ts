import { type UiLanguage, uiLocales, wellKnownPaths } from '@lyceum/contracts';
import { type Document, document, jsonDocument } from '../http/document.ts';
import type { School } from '../routing/school.ts';
import type { ReadOffers } from './content/offers.ts';
import { apiCatalog } from './metadata/api-catalog.ts';
import { authMd } from './metadata/auth-md.ts';
import { llmsTxt } from './metadata/llms-txt.ts';
import { serverDocuments } from './metadata/mcp-server-card.ts';
import { type Site, discoveryDocuments } from './metadata/oauth-metadata.ts';
import { pricingMd } from './metadata/pricing-md.ts';
import { landingJson, landingPage } from './pages/landing-page.ts';
import { referenceClient, referencePage } from './pages/reference-page.ts';
import type { OfferDocuments } from './prepared-documents.ts';
import { robots } from './site/site-feeds.ts';

/** The document that programs get where people get a page. */
export const asJson = (path: string): string => `${path} as JSON`;
/** The page that people get who read a language. */
export const inLanguage = (path: string, language: UiLanguage): string => `${path} in ${language}`;

const markdown = 'text/markdown; charset=utf-8';

/** The documents of a school that stand until it is another one. By path. */
export function fixedDocuments(site: Site, school: School, opened: ReadonlySet<string>): ReadonlyMap<string, Document> {
  const reference = referencePage(site, school.look);
  return new Map([
    ['/auth.md', document(markdown, authMd(site, opened))],
    ['/robots.txt', robots(site)],
    [wellKnownPaths.apiCatalog, catalogDocument(site)],
    ...Object.entries(discoveryDocuments(site)).map(([path, value]) => [path, jsonDocument(value)] as const),
    ...serverDocuments(site).map(({ path, type, value }) => [path, jsonDocument(value, type)] as const),
    ['/docs', reference],
    ['/docs/callback', reference],
    ['/docs/client.json', referenceClient(site)],
  ]);
}

/** @see RFC 9727 §3.1 */
const catalogDocument = (site: Site): Document =>
  document(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    JSON.stringify(apiCatalog(site)),
    {
      headers: { Link: `<${site.baseUrl}${wellKnownPaths.apiCatalog}>; rel="api-catalog"` },
    },
  );

/** The documents that list what a school offers. By `asJson`, `inLanguage` or path. */
export function offerDocuments(site: Site, school: School, read: ReadOffers | undefined): OfferDocuments {
  const offers = read?.offers;
  const cache = read?.unread.length === 0 ? 'public, no-cache' : 'no-store';
  const documents = new Map([
    ...uiLocales.map(
      (language) => [inLanguage('/', language), landingPage(site, school, offers, language, read?.site)] as const,
    ),
    [asJson('/'), landingJson(site, offers)],
    ['/llms.txt', document('text/plain; charset=utf-8', llmsTxt(site, offers ?? [], read?.site), { cache })],
    ['/pricing.md', document(markdown, pricingMd(site, read), { cache })],
  ]);
  return { courses: read?.unread.includes('course') ? undefined : offers, site: read?.site, documents };
}
