import { type UiLanguage, wellKnownPaths } from '@lyceum/contracts';
import type { School } from '../../routing/school.ts';
import { coursePath } from './course-page.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { type Document, document } from '../../http/document.ts';
import { htmlText } from '../text/html-text.ts';
import { type LandingTexts, englishLanding, landingLanguages } from '../content/landing-texts.ts';
import { type Offer, buyingPathOf } from '../content/offers.ts';
import { pageShell } from './page-shell.ts';
import { priceOf } from '../metadata/pricing-md.ts';

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

/** The name of an offer; of a course it leads to its page. */
function named({ kind, name, slug }: Offer): string {
  const shown = `<bdi>${htmlText(name)}</bdi>`;
  return kind === 'course' ? `<a href="${htmlText(coursePath(slug))}">${shown}</a>` : shown;
}

/** Offers that the page shows; the rest is a link away. */
const mostShown = 60;

const offerItem = (offer: Offer, said: LandingTexts): string => `<li>
<h3 id="${idOf(offer)}">${named(offer)}</h3>
${offer.summary ? `<p><bdi>${htmlText(offer.summary)}</bdi></p>\n` : ''}<p class="price">${htmlText(priceOf(offer, said))}</p>${buying(offer, said)}
</li>`;

/** What an offer is called on this page. */
const idOf = ({ kind, slug }: Offer): string => htmlText(`${kind}-${slug}`);

/** The way to the checkout. Those who hear links one by one hear the name of the offer, too. */
function buying(offer: Offer, said: LandingTexts): string {
  const path = buyingPathOf(offer);
  if (path === undefined) return '';
  const id = idOf(offer);
  const label = offer.kind === 'membership_plan' ? said.subscribe : said.buy;
  return `\n<p><a class="button primary" id="buy-${id}" aria-labelledby="buy-${id} ${id}" href="${htmlText(path)}">${label}</a></p>`;
}

function offerList({ baseUrl }: Site, offers: readonly Offer[] | undefined, said: LandingTexts): string {
  if (offers === undefined) return `<p>${said.unknown}</p>`;
  if (offers.length === 0) return `<p>${said.nothing}</p>`;
  const more =
    offers.length > mostShown
      ? `<p><a href="${htmlText(baseUrl)}/pricing.md">${said.all.replace('{count}', String(offers.length))}</a></p>`
      : '';
  return `<ul class="courses">\n${offers
    .slice(0, mostShown)
    .map((offer) => offerItem(offer, said))
    .join('\n')}\n</ul>${more}`;
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
): Document {
  const said = landingLanguages[language];
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
<section aria-labelledby="offers"><h2 id="offers">${said.courses}</h2>
${offerList(site, offers, said)}
</section>
<section class="help" aria-labelledby="sign-in"><h2 id="sign-in">${said.signingIn}</h2>
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
  const { html, policy } = pageShell(look, { language: said.lang, title: name, body });
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
