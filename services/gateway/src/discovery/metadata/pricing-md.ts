import { routes } from '@lyceum/contracts';
import type { Site } from './oauth-metadata.ts';
import { type LandingTexts, type PlanTexts, englishLanding } from '../content/landing-texts.ts';
import { markdownTable, markdownText } from '../text/markdown.ts';
import { money } from '../text/money.ts';
import { type Offer, type OfferedPlan, type ReadOffers, buyingPathOf, offerLists } from '../content/offers.ts';

const kinds = {
  course: 'Course',
  membership_plan: 'Membership plan',
  digital_product: 'Digital product',
  event: 'Event',
} as const;

/** What a person pays, in one phrase. */
export const priceOf = (
  { prices, access, plan }: Pick<Offer, 'prices' | 'access' | 'plan'>,
  { lang, prices: said }: Pick<LandingTexts, 'lang' | 'prices'> = englishLanding,
): string => {
  if (access === 'free' || access === 'open' || access === 'members') return said[access];
  if (prices.length === 0) return said.notYet;
  const amounts = prices.map((price) => money(price, lang)).join(said.or);
  return plan ? termOf(plan, said.plan).replace('{price}', () => amounts) : amounts;
};

/** How a plan is paid: a phrase with places for the price and the number of intervals. */
function termOf({ kind, interval, interval_count }: OfferedPlan, said: PlanTexts): string {
  if (kind === 'lifetime' || !interval) return said.once;
  const count = interval_count ?? 1;
  const [one, several] = kind === 'recurring' ? said.every[interval] : said.lasting[interval];
  return count === 1 ? one : several.replace('{count}', String(count));
}

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
    ({ amount, currency }) =>
      ['Amount in minor units', `\`${amount}\` \`${currency}\`, ${offer.plan ? paidHow(offer.plan) : 'once'}`] as const,
  ),
  ...(offer.when ? [['Begins', offer.when.starts_at] as const, ['Ends', offer.when.ends_at] as const] : []),
  ['Trial', offer.plan?.trial_days ? daysOf(offer.plan.trial_days) : 'none'],
  ['Includes', includesOf(offer)],
  ['Availability', availabilityOf(offer)],
  ['URL', `<${baseUrl}${offer.path}>`],
  ...buyingRow(baseUrl, offer),
  ['Updated', offer.updated_at],
];

const buyingRow = (baseUrl: string, offer: Offer): readonly (readonly [string, string])[] => {
  const path = buyingPathOf(offer);
  return path === undefined ? [] : [['Buy', `<${baseUrl}${path}>`]];
};

const daysOf = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** How a plan is paid, in one phrase. */
const paidHow = (plan: OfferedPlan): string =>
  termOf(plan, englishLanding.prices.plan).replace('{price}', '').trim().replace(/^for /, 'once, for ');

/** What a plan opens, in one phrase. */
function openedBy({ opens: { courses, digital_products, posts, event_discount_percent } }: OfferedPlan): string {
  const some = (count: 'all' | number, one: string): readonly string[] => {
    if (count === 'all') return [`all ${one}s`];
    return count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`];
  };
  const all = [
    ...some(courses, 'course'),
    ...some(digital_products, 'digital product'),
    ...(posts ? ['posts for members'] : []),
    ...(event_discount_percent > 0 ? [`${event_discount_percent} % off events`] : []),
  ];
  return all.length === 0 ? 'the membership' : all.join(', ');
}

/** What the price includes, in one phrase. */
export function includesOf({ kind, lessons, days, plan }: Offer): string {
  if (plan) return openedBy(plan);
  if (kind === 'digital_product') return 'the files';
  if (kind === 'event') return 'a seat';
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

const lists = {
  course: 'courses',
  membership_plan: 'membership plans',
  digital_product: 'digital products',
  event: 'events',
} as const;

const countOf = ({ offers, unread }: ReadOffers): string => {
  const missing = unread.map((kind) => lists[kind]).join(' and ');
  if (missing !== '') return `${offers.length} offers, without the ${missing}, which cannot be read at the moment.`;
  return offers.length === 0 ? 'Nothing is offered at the moment.' : `${offers.length} offers.`;
};

/** What the school sells, in Markdown: every public offer with its price, and nothing about coupons. */
export function pricingMd({ baseUrl, name }: Site, read: ReadOffers | undefined): string {
  const offers = read?.offers ?? [];
  const updated = updatedOf(offers);
  const head = [
    `# What ${markdownText(name)} offers`,
    `> ${read ? countOf(read) : 'The offers cannot be read at the moment.'} Prices are in minor units of their currency and as people write them. What a person pays in all, with tax and coupon, says <${baseUrl}/docs> (POST /api/checkout/quotes). Coupons are not listed.`,
    ...(updated === undefined ? [] : [`Updated: ${updated}`]),
    `The same as JSON: ${offerLists
      .filter(({ path }) => Object.hasOwn(routes, path))
      .map(({ path }) => `<${baseUrl}${path}>`)
      .join(' and ')}`,
  ];
  return `${[...head, ...offers.map((offer) => section(baseUrl, offer))].join('\n\n')}\n`;
}
