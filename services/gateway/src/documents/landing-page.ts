import { type Look, wellKnownPaths } from '@lyceum/contracts';
import type { Site } from './discovery.ts';
import { type Document, document } from './document.ts';
import { htmlText } from './html-text.ts';
import type { Offer } from './offers.ts';
import { pageStyle } from './page-style.ts';
import { priceOf } from './price-list.ts';

/** Where everything is that a program, or its author, may look for. */
const places = ({
  baseUrl,
  docsUrl,
  hasMcp,
}: Site): readonly (readonly [url: string, title: string, about: string])[] => [
  [`${baseUrl}/docs`, 'API reference', 'Every operation, to read and to try'],
  [`${baseUrl}/auth.md`, 'Access guide', 'How a program registers and signs a person in'],
  [`${baseUrl}/llms.txt`, 'Index for agents', 'What is where, in one file'],
  [`${baseUrl}/pricing.md`, 'Prices', 'Every offer as text'],
  [`${baseUrl}/openapi.json`, 'API description', 'OpenAPI 3.0'],
  ...(hasMcp ? [[`${baseUrl}/mcp`, 'MCP server', 'Streamable HTTP; open without signing in'] as const] : []),
  [baseUrl + wellKnownPaths.openidConfiguration, 'OpenID Connect', 'The discovery document'],
  [baseUrl + wellKnownPaths.authorizationServer, 'Authorization server', 'Its metadata (RFC 8414)'],
  [baseUrl + wellKnownPaths.protectedResource, 'Protected resource', 'Its metadata (RFC 9728)'],
  [docsUrl, 'Documentation', 'For developers of clients'],
];

/** Offers that the page shows; the rest is a link away. */
const mostShown = 60;

const offerItem = (offer: Offer): string => `<li>
<h3><bdi>${htmlText(offer.name)}</bdi></h3>
${offer.summary ? `<p><bdi>${htmlText(offer.summary)}</bdi></p>\n` : ''}<p class="price">${htmlText(priceOf(offer))}</p>
</li>`;

function shelf({ baseUrl }: Site, offers: readonly Offer[] | undefined): string {
  if (offers === undefined) return '<p>The catalogue cannot be shown at the moment.</p>';
  if (offers.length === 0) return '<p>Nothing is published yet.</p>';
  const more =
    offers.length > mostShown ? `<p><a href="${htmlText(baseUrl)}/pricing.md">All ${offers.length} offers</a></p>` : '';
  return `<ul class="courses">\n${offers.slice(0, mostShown).map(offerItem).join('\n')}\n</ul>${more}`;
}

const place = ([url, title, about]: readonly [string, string, string]): string =>
  `<div><dt><a href="${htmlText(url)}">${title}</a></dt><dd>${about}</dd></div>`;

const links = ({ baseUrl, docsUrl }: Site): string =>
  [
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${baseUrl}/docs>; rel="service-doc"; type="text/html"`,
    `<${encodeURI(docsUrl)}>; rel="service-doc"`,
    `<${baseUrl}/auth.md>; rel="service-doc"; type="text/markdown"`,
    `<${baseUrl}/llms.txt>; rel="describedby"; type="text/plain"`,
    `<${baseUrl}${wellKnownPaths.apiCatalog}>; rel="api-catalog"`,
  ].join(', ');

/** The page and its JSON stand at one address: caches must know. What is sold may be kept, but is asked for again. @see RFC 9110 §12.5.5 */
const particulars = (site: Site, offers: unknown, headers = {}) => ({
  vary: 'Accept',
  cache: offers === undefined ? 'no-store' : 'public, no-cache',
  headers: { Link: links(site), ...headers },
});

const contentSecurityPolicy = (hash: string): string =>
  `default-src 'none'; style-src '${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** What a person sees who opens the school's address in a browser: what it teaches, and where everything is. No script. */
export function landingPage(site: Site, look: Look | undefined, offers: readonly Offer[] | undefined): Document {
  const { css, hash } = pageStyle(look);
  const name = htmlText(site.name);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><div>
<h1><bdi>${name}</bdi></h1>
<p>An online school with an open API: look around without signing in.</p>
</div></header>
<main id="main" tabindex="-1">
<section aria-labelledby="offers"><h2 id="offers">Courses</h2>
${shelf(site, offers)}
</section>
<section class="help" aria-labelledby="sign-in"><h2 id="sign-in">Signing in</h2>
<p>You sign in from the program that you use with this school: it opens a page at <code>${htmlText(new URL(site.baseUrl).host)}</code>, where you see what it asks for and choose what to allow.</p>
<p>Your account: <a href="${htmlText(site.baseUrl)}/oauth/account">your details, the applications that may use it, and your sign-ins</a>.</p>
</section>
<section aria-labelledby="programs"><h2 id="programs">For programs and their authors</h2>
<dl class="places">
${places(site).map(place).join('\n')}
</dl>
</section>
</main>
</body>
</html>
`;
  const policy = { 'Content-Security-Policy': contentSecurityPolicy(hash) };
  return document('text/html; charset=utf-8', html, particulars(site, offers, policy));
}

/** The same for a program. */
export const landingJson = (site: Site, offers: readonly Offer[] | undefined): Document =>
  document(
    'application/json; charset=utf-8',
    JSON.stringify({
      name: site.name,
      base_url: site.baseUrl,
      links: Object.fromEntries(places(site).map(([url, title]) => [title.toLowerCase().replaceAll(' ', '_'), url])),
      ...(offers ? { offers: offers.map(({ path, ...offer }) => ({ ...offer, url: site.baseUrl + path })) } : {}),
    }),
    particulars(site, offers),
  );
