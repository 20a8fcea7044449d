import { largestAmount } from '@lyceum/contracts';
import { type Ports, Problem } from '@lyceum/web';
import { type Buying, type Cart, type CartLine, type WantedItem, lasting, publicItem } from '../checkout/cart/cart.ts';
import { type KnownItem, knownItem } from '../items/known-items.ts';
import { totalsOf } from '../money/totals.ts';
import { ownsItem } from '../owned/owned-items.ts';
import { knownSchool } from '../schools/known-schools.ts';

/** What an item would cost: nothing where the school has no price for it that somebody could pay. */
function priceOf({ prices }: KnownItem, currency: string): number {
  const amount = prices.find((each) => each.currency === currency)?.amount ?? 0;
  return amount > largestAmount(currency) ? 0 : amount;
}

async function refuseOwned(
  ports: Pick<Ports, 'documents'>,
  { school, member, at: now }: Buying,
  { item, title, index }: { readonly item: string; readonly title: string; readonly index: number },
): Promise<void> {
  if (member === undefined || !(await ownsItem(ports, school, { member, item, now }))) return;
  throw new Problem('already_owned', `The member has “${title}” already`, {
    details: [{ path: `items.${index}.item_id`, code: 'already_owned', message: 'is the member’s already' }],
  });
}

/**
 * What is given: each item at the price of now, with a discount of all of it, whether or not it is sold now. Throws the
 * problem why something cannot be given.
 */
export async function giftCart(
  ports: Pick<Ports, 'documents'>,
  giving: Buying,
  items: readonly WantedItem[],
): Promise<Cart> {
  const school = await knownSchool(ports, giving.school);
  const lines: CartLine[] = [];
  for (const [index, wanted] of items.entries()) {
    const { item_type, item_id } = wanted;
    const item = publicItem(await knownItem(ports, giving.school, item_id), wanted, index);
    const { title, seat_limit } = item;
    await refuseOwned(ports, giving, { item: item_id, title, index });
    const unit_price = priceOf(item, school.currency);
    lines.push({ item_type, item_id, title, quantity: 1, unit_price, seat_limit, ...lasting(item) });
  }
  const everything = { kind: 'percent', value: 100, applies: lines.map(() => true) } as const;
  return { school, lines, totals: totalsOf(lines, everything, school.tax), coupon: null, plan: null };
}
