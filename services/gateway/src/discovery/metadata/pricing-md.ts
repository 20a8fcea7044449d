import { routes } from '@lyceum/contracts';
import type { Site } from './oauth-metadata.ts';
import { type LandingTexts, englishLanding } from '../content/landing-texts.ts';
import { markdownTable, markdownText } from '../text/markdown.ts';
import { money } from '../text/money.ts';
import { type Offer, offerLists } from '../content/offers.ts';

const kinds = { course: 'Course', digital_product: 'Digital product' } as const;

/** What a person pays, in one phrase. */
export const priceOf = (
  { prices, access }: Pick<Offer, 'prices' | 'access'>,
  { lang, prices: said }: Pick<LandingTexts, 'lang' | 'prices'> = englishLanding,
): string => {
  if (access === 'free' || access === 'open' || access === 'members') return said[access];
  return prices.length === 0 ? said.notYet : prices.map((price) => money(price, lang)).join(said.or);
};

const availability: Readonly<Record<string, string>> = {
  none: 'no seats left',
  few: 'few seats left',
  available: 'available',
};

/** Whether there are seats left, in one phrase. */
export const availabilityOf = ({ seats = 'available' }: Offer): string => availability[seats] ?? 'available';

const rowsOf = (baseUrl: string, offer: Offer): readonly (readonly [string, string])[] => [
  ['Id', `\`${offer.id}\``],
  ['Kind', kinds[offer.kind]],
  ['Price', priceOf(offer)],
  ...offer.prices.map(
    ({ amount, currency }) => ['Amount in minor units', `\`${amount}\` \`${currency}\`, once`] as const,
  ),
  ['Trial', 'none'],
  ['Includes', includesOf(offer)],
  ['Availability', availabilityOf(offer)],
  ['URL', `<${baseUrl}${offer.path}>`],
  ['Updated', offer.updated_at],
];

/** What the price includes, in one phrase. */
export function includesOf({ kind, lessons, days }: Offer): string {
  if (kind === 'digital_product') return 'the files';
  const what = lessons > 0 ? `${lessons} ${lessons === 1 ? 'lesson' : 'lessons'}` : 'the course';
  return `${what}, ${days === null ? 'access without a time limit' : `access for ${days} days`}`;
}

const section = (baseUrl: string, offer: Offer): string =>
  [
    `## ${markdownText(offer.name)}`,
    ...(offer.summary ? [markdownText(offer.summary)] : []),
    markdownTable(['', ''], rowsOf(baseUrl, offer)),
  ].join('\n\n');

/** The latest change among the offers, or nothing. */
const updatedOf = (offers: readonly Offer[]): string | undefined =>
  offers
    .map(({ updated_at }) => updated_at)
    .sort()
    .at(-1);

const countOf = (offers: readonly Offer[] | undefined): string => {
  if (offers === undefined) return 'The offers cannot be read at the moment.';
  return offers.length === 0 ? 'Nothing is offered at the moment.' : `${offers.length} offers.`;
};

/** What the school sells, in Markdown: every public offer with its price, and nothing about coupons. */
export function pricingMd({ baseUrl, name }: Site, known: readonly Offer[] | undefined): string {
  const offers = known ?? [];
  const updated = updatedOf(offers);
  const head = [
    `# What ${markdownText(name)} offers`,
    `> ${countOf(known)} Prices are in minor units of their currency and as people write them. They are the whole amount: no tax is added. Coupons are not listed.`,
    ...(updated === undefined ? [] : [`Updated: ${updated}`]),
    `The same as JSON: ${offerLists
      .filter(({ path }) => Object.hasOwn(routes, path))
      .map(({ path }) => `<${baseUrl}${path}>`)
      .join(' and ')}`,
  ];
  return `${[...head, ...offers.map((offer) => section(baseUrl, offer))].join('\n\n')}\n`;
}
