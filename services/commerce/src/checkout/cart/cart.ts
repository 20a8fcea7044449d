import { largestAmount } from '@lyceum/contracts';
import { type Detail, isRejection } from '@lyceum/kernel';
import { type Ports, Problem, problemOf } from '@lyceum/web';
import { couponWithCode, readCouponUse } from '../../coupons/uses/coupon.use.ts';
import { reductionOf } from '../../coupons/coupon.reduction.ts';
import type { Coupon } from '../../coupons/coupon.state.ts';
import { couponInvalid } from '../../coupons/coupon.ts';
import { type KnownItem, knownItem } from '../../items/known-items.ts';
import { type Reduction, type Totals, totalsOf } from '../../money/totals.ts';
import { type KnownSchool, knownSchool } from '../../schools/known-schools.ts';
import { ownsItem } from '../../owned/owned-items.ts';
import { type CartPlan, type PlanOnSale, planInCart, planOnSale } from './cart.plan.ts';
import { eventPriceFor } from './event-discount.ts';

/** Something that is to be bought. */
export interface WantedItem {
  readonly item_type: 'course' | 'digital_product' | 'event' | 'membership_plan';
  readonly item_id: string;
}

/** Something that can be bought, at the price of now. */
export interface CartLine extends WantedItem {
  readonly title: string;
  readonly quantity: number;
  readonly unit_price: number;
  /** null = as many as are wanted. */
  readonly seat_limit: number | null;
  /** Days that access to a course lasts; null = for ever. */
  readonly access_days?: number | null;
}

/** What is to be bought, and what it comes to. */
export interface Cart {
  readonly school: KnownSchool;
  readonly lines: readonly CartLine[];
  readonly totals: Totals;
  readonly coupon: { readonly coupon_id: string; readonly code: string } | null;
  /** The membership plan that is bought; null = none. */
  readonly plan: CartPlan | null;
}

/** What is wanted: items, and perhaps the code of a coupon. */
interface Wanted {
  readonly items: readonly WantedItem[];
  readonly coupon_code?: string | undefined;
}

/** Who wants it, and when. */
export interface Buying {
  readonly school: string;
  /** The member; undefined for a guest. */
  readonly member: string | undefined;
  /** RFC 3339 UTC. */
  readonly at: string;
}

const refused = (index: number, code: string, message: string) =>
  new Problem('validation_failed', 'Something of it is not for sale', {
    details: [{ path: `items.${index}.item_id`, code, message }] satisfies readonly Detail[],
  });

/** The item, when it is public. Throws the problem when it is not. */
export function publicItem(item: KnownItem | undefined, wanted: WantedItem, index: number): KnownItem {
  if (item?.status !== 'published' || item.item_type !== wanted.item_type)
    throw refused(index, 'unknown_item', 'must name something that is public');
  return item;
}

/** The item, when it is sold now. Throws the problem why it is not. */
function onSale(known: KnownItem | undefined, wanted: WantedItem, index: number, now: string): KnownItem {
  const item = publicItem(known, wanted, index);
  if (item.access !== 'paid') throw refused(index, 'not_for_sale', 'must name something that is sold');
  const { opens_at, closes_at, presale_opens_at } = item;
  const opens = presale_opens_at ?? opens_at;
  if (opens !== null && now < opens) throw refused(index, 'not_open', 'is not sold yet');
  if (closes_at !== null && now >= closes_at) throw refused(index, 'closed', 'is not sold any more');
  return item;
}

function priceOf({ prices }: KnownItem, index: number, currency: string): number {
  if (prices.length === 0) throw refused(index, 'not_for_sale', 'has no price yet');
  const price = prices.find((each) => each.currency === currency);
  if (!price) throw new Problem('currency_mismatch', `The school sells in ${currency}, and this has no price in it`);
  // Set before there was a limit, or by another release.
  if (price.amount > largestAmount(currency))
    throw refused(index, 'price_too_large', 'has a price that nobody can pay');
  return price.amount;
}

/** How long access to what is sold lasts: a course says so, a product is for ever. */
export const lasting = ({ item_type, access_days }: KnownItem): Pick<CartLine, 'access_days'> =>
  item_type === 'course' ? { access_days } : {};

/** The items that are sold by themselves, as lines. */
async function linesOf(
  ports: Pick<Ports, 'documents' | 'log'>,
  { school: id, member, at: now }: Buying,
  items: readonly WantedItem[],
  { currency }: KnownSchool,
): Promise<readonly CartLine[]> {
  const lines: CartLine[] = [];
  for (const [index, { item_type, item_id }] of items.entries()) {
    const item = onSale(await knownItem(ports, id, item_id), { item_type, item_id }, index, now);
    if (member !== undefined && (await ownsItem(ports, id, { member, item: item_id, now })))
      throw new Problem('already_owned', `You have “${item.title}” already`, {
        details: [{ path: `items.${index}.item_id`, code: 'already_owned', message: 'is yours already' }],
      });
    const price = priceOf(item, index, currency);
    const unit_price = item_type === 'event' ? await eventPriceFor(ports, id, member, price) : price;
    const { title, seat_limit } = item;
    lines.push({ item_type, item_id, title, quantity: 1, unit_price, seat_limit, ...lasting(item) });
  }
  return lines;
}

/** The plan that is wanted; undefined when none is. Throws the problem when something else is wanted beside it. */
function wantedPlan(items: readonly WantedItem[]): string | undefined {
  const index = items.findIndex(({ item_type }) => item_type === 'membership_plan');
  const plan = items[index];
  if (plan && items.length > 1) throw refused(index, 'not_alone', 'a membership plan is bought by itself');
  return plan?.item_id;
}

/** What a person would buy, at the prices of now. Throws the problem why something cannot be bought. */
export async function readCart(
  ports: Pick<Ports, 'documents' | 'log'>,
  buying: Buying,
  { items, coupon_code }: Wanted,
): Promise<Cart> {
  const school = await knownSchool(ports, buying.school);
  const plan_id = wantedPlan(items);
  const { currency } = school;
  const plan = plan_id === undefined ? undefined : await planOnSale(ports, { ...buying, plan_id, currency });
  const lines = plan ? [lineOf(plan)] : await linesOf(ports, buying, items, school);
  const asked = { id: buying.school, now: buying.at, school, lines };
  const reduced = coupon_code === undefined ? undefined : await reduction(ports, asked, coupon_code);
  return {
    school,
    ...priced(lines, plan, reduced, school),
    coupon: reduced ? { coupon_id: reduced.coupon_id, code: reduced.coupon.code } : null,
    plan: plan ? planInCart(plan, reduced ?? null) : null,
  };
}

const lineOf = ({ title, terms: { plan_id, price } }: PlanOnSale): CartLine => ({
  item_type: 'membership_plan',
  item_id: plan_id,
  title,
  quantity: 1,
  unit_price: price.amount,
  seat_limit: null,
});

/** The lines, and what they come to: nothing in a trial. */
function priced(
  lines: readonly CartLine[],
  plan: PlanOnSale | undefined,
  reduced: Reduced | undefined,
  { tax }: KnownSchool,
): Pick<Cart, 'lines' | 'totals'> {
  if (!plan || plan.trial_days === 0) return { lines, totals: totalsOf(lines, reduced?.reduction ?? null, tax) };
  const free = lines.map((line) => ({ ...line, unit_price: 0 }));
  return { lines: free, totals: totalsOf(free, null, tax) };
}

interface Reducing {
  readonly id: string;
  readonly now: string;
  readonly school: KnownSchool;
  readonly lines: readonly CartLine[];
}

/** A coupon that counts, and what it takes off. */
interface Reduced {
  readonly coupon_id: string;
  readonly coupon: Coupon;
  readonly reduction: Reduction;
}

/** What the coupon with a code takes off. Throws the one problem for whatever is wrong with it. */
async function reduction(
  { log }: Pick<Ports, 'log'>,
  { id, now, school, lines }: Reducing,
  asked: string,
): Promise<Reduced> {
  const invalid = () => problemOf(couponInvalid(), { coupon_invalid: 409 });
  const coupon_id = await couponWithCode(log, id, asked);
  const use = coupon_id === undefined ? undefined : await readCouponUse(log, id, coupon_id, []);
  if (!use?.coupon) throw invalid();
  const summed = lines.map((line) => ({ ...line, subtotal: line.quantity * line.unit_price }));
  const off = reductionOf(use.coupon, summed, school.currency, now);
  if (isRejection(off)) throw invalid();
  return { reduction: off, coupon_id: use.coupon_id, coupon: use.coupon };
}
