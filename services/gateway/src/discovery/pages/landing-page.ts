import { type UiLanguage, wellKnownPaths } from '@lyceum/contracts';
import type { School } from '../../routing/school.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { blocksHtml } from '../site/blocks-html.ts';
import { SourceList } from '../site/page-sources.ts';
import { siteStyleWith } from '../site/site-style.ts';
import type { SiteSummary } from '../site/site-summary.ts';
import { type Document, document } from '../../http/document.ts';
import { htmlText } from '../text/html-text.ts';
import { type LandingTexts, englishLanding, landingLanguages } from '../content/landing-texts.ts';
import { type Offer, buyingPathOf } from '../content/offers.ts';
import { offerCards } from './offer-cards.ts';
import { pageShell } from './page-shell.ts';

/** Where everything is that a program, or its author, may look for. */
const places = (
  { baseUrl, docsUrl, hasMcp }: Site,
  said: LandingTexts,
): readonly (readonly [url: string, title: string, about: string])[] => [
  [`${baseUrl}/docs`, ...said.reference],
  [`${baseUrl}/auth.md`, ...said.guide],
  [`${baseUrl}/llms.txt`, ...said.index],
  [`${baseUrl}/pricing.md`, ...said.pricingMd],
  [`${baseUrl}/openapi.json`, ...said.description],
  ...(hasMcp ? [[`${baseUrl}/mcp`, ...said.mcp] as const] : []),
  [baseUrl + wellKnownPaths.openidConfiguration, ...said.openid],
  [baseUrl + wellKnownPaths.authorizationServer, ...said.authorization],
  [baseUrl + wellKnownPaths.protectedResource, ...said.resource],
  [docsUrl, ...said.documentation],
];

/** Offers that the page shows; the rest is a link away. */
const mostShown = 60;

/** Events that the page shows; the rest is in the calendar. */
const mostEvents = 6;

/** The events that come next, the first ones of a list in their order; nothing where there are none. */
function eventSection(events: readonly Offer[], said: LandingTexts): string {
  if (events.length === 0) return '';
  return `<section aria-labelledby="events"><h2 id="events">${said.events}</h2>
${offerCards(events.slice(0, mostEvents), said)}
<p><a href="/events/calendar.ics">${said.calendar}</a></p>
</section>
`;
}

function offerList({ baseUrl }: Site, offers: readonly Offer[] | undefined, said: LandingTexts): string {
  const all = offers?.length ?? 0;
  const more =
    all > mostShown
      ? `<p><a href="${htmlText(baseUrl)}/pricing.md">${said.all.replace('{count}', String(all))}</a></p>`
      : '';
  return offerCards(offers?.slice(0, mostShown), said) + more;
}

const place = ([url, title, about]: readonly [string, string, string]): string =>
  `<div><dt><a href="${htmlText(url)}">${title}</a></dt><dd>${about}</dd></div>`;

const links = ({ baseUrl, docsUrl }: Site): string =>
  [
    `<${baseUrl}/>; rel="canonical"`,
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${baseUrl}/docs>; rel="service-doc"; type="text/html"`,
    `<${encodeURI(docsUrl)}>; rel="service-doc"`,
    `<${baseUrl}/auth.md>; rel="service-doc"; type="text/markdown"`,
    `<${baseUrl}/llms.txt>; rel="describedby"; type="text/plain"`,
    `<${baseUrl}${wellKnownPaths.apiCatalog}>; rel="api-catalog"`,
  ].join(', ');

/** The page, in each language, and its JSON stand at one address: caches must know. What is sold may be kept, but is asked for again. @see RFC 9110 §12.5.5 */
const particulars = (site: Site, offers: unknown, headers = {}) => ({
  vary: 'Accept, Accept-Language',
  cache: offers === undefined ? 'no-store' : 'public, no-cache',
  headers: { Link: links(site), ...headers },
});

/** What a person sees who opens the school's address in a browser: what it teaches, and where everything is, in the language of the reader. No script. */
export function landingPage(
  site: Site,
  { look, isOpen }: Pick<School, 'look' | 'isOpen'>,
  offers: readonly Offer[] | undefined,
  language: UiLanguage,
  summary?: SiteSummary,
): Document {
  const said = landingLanguages[language];
  const sources = new SourceList();
  const home = summary ? blocksHtml(summary.home, { offers, said, language, sources }) : '';
  const host = `<code>${htmlText(new URL(site.baseUrl).host)}</code>`;
  const name = htmlText(site.name);
  const account = `${htmlText(site.baseUrl)}/oauth/account`;
  const signUp = isOpen
    ? ` <a class="button" href="${htmlText(site.baseUrl)}/oauth/sign-up">${said.createAccount}</a>`
    : '';
  const body = `<a class="skip" href="#main">${said.skip}</a>
<header><div>
<h1><bdi>${name}</bdi></h1>
<p>${said.lead}</p>
</div></header>
<main id="main" tabindex="-1">
${home}
<section aria-labelledby="offers"><h2 id="offers">${said.courses}</h2>
${offerList(
  site,
  offers?.filter(({ kind }) => kind !== 'event'),
  said,
)}
</section>
${eventSection(offers?.filter(({ kind }) => kind === 'event') ?? [], said)}<section class="help" aria-labelledby="sign-in"><h2 id="sign-in">${said.signingIn}</h2>
<p>${said.signInFrom.replace('{host}', () => host)}</p>
<p>${said.yourAccount}</p>
<p class="buttons"><a class="button primary" href="${account}">${said.signIn}</a>${signUp}</p>
</section>
<section aria-labelledby="programs"><h2 id="programs">${said.programs}</h2>
<dl class="places">
${places(site, said).map(place).join('\n')}
</dl>
</section>
</main>`;
  const { html, policy } = pageShell(look, {
    language: said.lang,
    title: name,
    body,
    ...(summary ? { style: siteStyleWith(summary.css), sources } : {}),
  });
  return document('text/html; charset=utf-8', html, particulars(site, offers, policy));
}

const offerJson = ({ baseUrl }: Site, { path, ...offer }: Offer) => {
  const buyAt = buyingPathOf(offer);
  return { ...offer, url: baseUrl + path, checkout_url: buyAt === undefined ? null : baseUrl + buyAt };
};

/** The same for a program. */
export const landingJson = (site: Site, offers: readonly Offer[] | undefined): Document =>
  document(
    'application/json; charset=utf-8',
    JSON.stringify({
      name: site.name,
      base_url: site.baseUrl,
      links: Object.fromEntries(
        places(site, englishLanding).map(([url, title]) => [title.toLowerCase().replaceAll(' ', '_'), url]),
      ),
      ...(offers ? { offers: offers.map((offer) => offerJson(site, offer)) } : {}),
    }),
    particulars(site, offers),
  );
