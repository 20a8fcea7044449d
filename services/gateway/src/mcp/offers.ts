import type { School } from '../school.ts';
import type { Api, Json } from './api.ts';
import { rows, seen, text } from './answers.ts';
import { courseUrl } from './courses.ts';

/** What can be bought, in the order in which lists show it. */
export const offerKinds = ['course', 'bundle', 'membership_plan', 'digital_product', 'event'] as const;
export type OfferKind = (typeof offerKinds)[number];

/** Where the offers of each kind are listed. A kind that no service has yet is empty. */
export const offerLists: Readonly<Record<OfferKind, string | undefined>> = {
  course: '/api/courses',
  bundle: undefined,
  membership_plan: '/api/membership_plans',
  digital_product: '/api/digital_products',
  event: '/api/events',
};

const titleOf = (row: Json): string => text(row, 'title') ?? text(row, 'name') ?? String(row['slug']);

const pricesOf = (row: Json): readonly Json[] => {
  const { prices, price } = row as { prices?: readonly Json[]; price?: Json | null };
  return prices ?? (price ? [price] : []);
};

/** The offers of a row: one for each price, and one without a price for what is free. */
export function offersOf(kind: OfferKind, row: Json, school: School): Json[] {
  const url =
    kind === 'course' ? courseUrl(row, school) : `${school.baseUrl}${offerLists[kind] ?? ''}/${String(row['slug'])}`;
  const about = { kind, subject_id: String(row['id']), slug: String(row['slug']), name: titleOf(row), url };
  const interval = text(row, 'interval');
  const period = interval === undefined ? {} : { period: interval, trial_days: Number(row['trial_days'] ?? 0) };
  const prices = pricesOf(row);
  if (prices.length === 0) return [{ id: String(row['id']), ...about, price: null, ...period }];
  return prices.map((price) => ({
    id: String(price['id'] ?? row['id']),
    ...about,
    price: { amount: Number(price['amount']), currency: String(price['currency']) },
    ...period,
  }));
}

/** All offers of the first page of each kind, for documents. */
export async function allOffers(api: Api, school: School): Promise<Json[]> {
  const offers: Json[] = [];
  for (const kind of offerKinds) {
    const path = offerLists[kind];
    const body = path === undefined ? undefined : seen(await api(path, { query: { limit: 100 } }));
    offers.push(...rows(body).flatMap((row) => offersOf(kind, row, school)));
  }
  return offers;
}

/** Offers in words, one line each. */
export const offersMarkdown = (offers: readonly Json[], { name }: School): string =>
  [
    `# Prices of ${name}`,
    'Amounts are in minor units of the currency.',
    offers
      .map((offer) => {
        const price = offer['price'] as Json | null;
        const cost = price ? `${String(price['amount'])} ${String(price['currency'])}` : 'free';
        return `- ${String(offer['name'])} (${String(offer['kind'])}): ${cost}, ${String(offer['url'])}`;
      })
      .join('\n'),
  ].join('\n\n');
