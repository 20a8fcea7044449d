import { buyingPathOf, offerIn, offerLists } from '../../../discovery/content/offers.ts';
import { availabilityOf, includesOf, priceOf } from '../../../discovery/metadata/pricing-md.ts';
import type { School } from '../../../routing/school.ts';
import type { Json } from '../../../upstream/school-api.ts';
import { listIn } from '../api-result.ts';

/** What can be bought, in the order in which lists show it. */
export const offerKinds = ['course', 'bundle', 'membership_plan', 'digital_product', 'event'] as const;
export type OfferKind = (typeof offerKinds)[number];

/** Where the offers of a kind are listed; undefined for a kind that no service has yet. */
export const offerListOf = (kind: OfferKind): (typeof offerLists)[number] | undefined =>
  offerLists.find((list) => list.kind === kind);

/** The offers of a row, in the words of `/pricing.md`: one for each price, and one without a price for what has none. */
export function offersOf(row: Json, list: (typeof offerLists)[number], school: School): Json[] {
  // Staff see what is not offered yet, or not any more.
  const status = row['status'] ?? 'published';
  if ((status !== 'published' && status !== 'active') || row['visible'] === false) return [];
  const offer = offerIn(row, list);
  const buyAt = buyingPathOf(offer);
  const about = {
    kind: offer.kind,
    subject_id: offer.id,
    slug: offer.slug,
    name: offer.name,
    url: school.baseUrl + offer.path,
    checkout_url: buyAt === undefined ? null : school.baseUrl + buyAt,
    cost: priceOf(offer),
    includes: includesOf(offer),
    availability: availabilityOf(offer),
    updated_at: offer.updated_at,
  };
  const ids =
    offer.kind === 'event' ? [] : listIn(row, 'prices').map(({ id }) => (typeof id === 'string' ? id : offer.id));
  if (offer.prices.length === 0) return [{ id: offer.id, ...about, price: null }];
  return offer.prices.map(({ amount, currency }, at) => ({
    id: ids[at] ?? offer.id,
    ...about,
    price: { amount, currency },
  }));
}
