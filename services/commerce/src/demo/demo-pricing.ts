import { demoAccountId, demoCourseId, demoProductId } from '@lyceum/contracts';
import { isRejection, isoTime } from '@lyceum/kernel';
import { couponWithCode, readCouponUse, redeemersOf } from '../coupons/uses/coupon.use.ts';
import { reductionOf } from '../coupons/coupon.reduction.ts';
import { untaxed } from '../money/tax.ts';
import { type Reduction, totalsOf } from '../money/totals.ts';
import type { PlacedOrder } from '../orders/order.commands.ts';
import { lineId } from '../orders/order.ids.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import type { DemoItem, DemoOrder } from './demo-orders.ts';
import { DemoRefused } from './demo-refusal.ts';

/** The school of demo orders. */
export interface DemoShop {
  readonly school: string;
  readonly currency: string;
}

/** Until when nobody has to pay what is pending in the demo. */
export const someDay = '2099-01-01T00:00:00.000Z';

type PricingPorts = Pick<CommercePorts, 'log' | 'vault'>;

const minute = 60_000;

const later = (at: string, minutes: number): string => isoTime(Date.parse(at) + minutes * minute);

const pricedLine = ({ school }: DemoShop, isFree: boolean, { item_type, slug, title, price, seats }: DemoItem) => {
  const item_id = item_type === 'course' ? demoCourseId(school, slug) : demoProductId(school, slug);
  const unit_price = isFree ? 0 : price;
  return { item_type, item_id, title, quantity: 1, unit_price, subtotal: unit_price, limit: seats };
};

interface Coupon {
  readonly coupon: PlacedOrder['coupon'];
  readonly reduction: Reduction | null;
}

/** The coupon of an order, and what it took off then. */
async function couponOf(
  { log, vault }: PricingPorts,
  { school, currency }: DemoShop,
  { coupon: code, member, at }: DemoOrder,
  lines: readonly ReturnType<typeof pricedLine>[],
): Promise<Coupon> {
  if (code === undefined) return { coupon: null, reduction: null };
  const coupon_id = await couponWithCode(log, school, code);
  if (coupon_id === undefined) throw new DemoRefused(`there is no coupon ${code}`);
  const buyer = { member_id: demoAccountId(school, member) };
  const redeemers = [...(await redeemersOf(vault, school, coupon_id, buyer))];
  const { coupon } = await readCouponUse(log, school, coupon_id, redeemers);
  const reduction = coupon && reductionOf(coupon, lines, currency, at);
  if (!reduction || isRejection(reduction)) throw new DemoRefused(`the coupon ${code} did not count then`);
  return { coupon: { coupon_id, code, redeemers }, reduction };
}

/** Who buys: a member, or a guest whose address is that of the member. */
function buyerOf({ asGuest }: DemoOrder, { id, member }: { readonly id: string; readonly member: string }) {
  if (asGuest === undefined) return { id: member, member_id: member };
  return { id: id.replace(/^order_/, 'buyer_'), member_id: null, email: asGuest };
}

/** An order of the demo as it was placed, and the seats that it needs. */
export async function placedAs(
  ports: PricingPorts,
  shop: DemoShop,
  demo: DemoOrder,
  sale: { readonly id: string; readonly member: string },
) {
  const { at, fate, items } = demo;
  const priced = items.map((item) => pricedLine(shop, fate === 'given', item));
  const { coupon, reduction } = await couponOf(ports, shop, demo, priced);
  const { lines: totals, ...sums } = totalsOf(priced, reduction, untaxed);
  const lines = priced.map(({ subtotal: _subtotal, limit, ...line }, index) => {
    const { discount = 0, tax = 0, total = 0 } = totals[index] ?? {};
    const line_id = lineId(sale.id, index + 1);
    return { ...line, line_id, discount, tax, total, seat: limit !== undefined };
  });
  const order: PlacedOrder = {
    source: fate === 'given' ? 'comp' : 'checkout',
    ...(fate === 'given' ? { reason: 'A gift of the school' } : {}),
    buyer: buyerOf(demo, sale),
    lines,
    ...sums,
    currency: shop.currency,
    tax: untaxed,
    coupon,
    subscription_id: null,
    secret_hash: null,
    expires_at: fate === 'pending' ? someDay : later(at, 30),
    holds_until: fate === 'pending' ? someDay : later(at, 40),
  };
  const seats = priced.flatMap(({ item_type, item_id, limit }, index) =>
    limit === undefined ? [] : [{ line_id: lineId(sale.id, index + 1), item_type, item_id, limit }],
  );
  return { order, seats };
}
