import { spanOf } from '../events/event-facts.ts';
import type { LandingTexts } from '../content/landing-texts.ts';
import { type Offer, buyingPathOf, isSoldOut } from '../content/offers.ts';
import { priceOf } from '../metadata/pricing-md.ts';
import { htmlText } from '../text/html-text.ts';
import { coursePath } from './course-page.ts';
import { courseLanguages } from './course-texts.ts';

/** Where the page of an offer is; undefined where it has none. */
function pageOf({ kind, slug }: Offer): string | undefined {
  if (kind === 'course') return coursePath(slug);
  return kind === 'event' ? `/events/${slug}` : undefined;
}

/** The name of an offer; it leads to its page where there is one. */
function named(offer: Offer): string {
  const shown = `<bdi>${htmlText(offer.name)}</bdi>`;
  const path = pageOf(offer);
  return path === undefined ? shown : `<a href="${htmlText(path)}">${shown}</a>`;
}

/** When an event is. */
const time = ({ when }: Offer, { lang }: LandingTexts): string =>
  when === undefined
    ? ''
    : `<p><time datetime="${htmlText(when.starts_at)}">${htmlText(spanOf(when, lang))}</time></p>\n`;

const offerItem = (offer: Offer, said: LandingTexts, prefix: string): string => `<li>
<h3 id="${prefix}${idOf(offer)}">${named(offer)}</h3>
${offer.summary ? `<p><bdi>${htmlText(offer.summary)}</bdi></p>\n` : ''}${time(offer, said)}<p class="price">${htmlText(priceOf(offer, said))}</p>${buying(offer, said, prefix)}
</li>`;

/** What an offer is called on a page. */
const idOf = ({ kind, slug }: Offer): string => htmlText(`${kind}-${slug}`);

/** The way to the checkout. Those who hear links one by one hear the name of the offer, too. */
function buying(offer: Offer, said: LandingTexts, prefix: string): string {
  const path = buyingPathOf(offer);
  if (path === undefined)
    return isSoldOut(offer) ? `\n<p><strong>${courseLanguages[said.lang].soldOut}</strong></p>` : '';
  const id = prefix + idOf(offer);
  const label = offer.kind === 'membership_plan' ? said.subscribe : said.buy;
  return `\n<p><a class="button primary" id="buy-${id}" aria-labelledby="buy-${id} ${id}" href="${htmlText(path)}">${label}</a></p>`;
}

/**
 * Offers as cards: what they are, what they cost, and where they are bought. undefined: nobody can tell what there is.
 * `prefix` tells the cards of one list of a page from those of another.
 */
export function offerCards(offers: readonly Offer[] | undefined, said: LandingTexts, prefix = ''): string {
  if (offers === undefined) return `<p>${said.unknown}</p>`;
  if (offers.length === 0) return `<p>${said.nothing}</p>`;
  return `<ul class="courses">\n${offers.map((offer) => offerItem(offer, said, prefix)).join('\n')}\n</ul>`;
}
