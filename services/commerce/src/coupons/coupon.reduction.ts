import type { Rejection } from '@lyceum/kernel';
import type { Reduction } from '../money/totals.ts';
import { isInForce } from './coupon.rules.ts';
import { type Coupon, couponInvalid } from './coupon.ts';

/** Something that is to be paid for: what it is, and what it comes to before it is reduced, in minor units. */
export interface CartLine {
  readonly item_type: string;
  readonly item_id: string;
  readonly subtotal: number;
}

/** Whether a coupon is for an item. */
export const isFor = (
  { applies_to }: Pick<Coupon, 'applies_to'>,
  { item_type, item_id }: Pick<CartLine, 'item_type' | 'item_id'>,
): boolean =>
  applies_to === 'all' || applies_to.some((each) => each.item_type === item_type && each.item_id === item_id);

/** Whether amounts that the coupon says mean something in a currency. */
const isIn = ({ kind, min_subtotal, currency }: Coupon, asked: string): boolean =>
  currency === asked || (kind === 'percent' && min_subtotal === null);

/**
 * What a coupon takes off lines of one currency, for `totalsOf`; or that it does not count there. Whether uses of it are
 * left is decided where they are held.
 */
export function reductionOf(
  coupon: Coupon,
  lines: readonly CartLine[],
  currency: string,
  now: string,
): Reduction | Rejection<'coupon_invalid'> {
  const applies = lines.map((line) => isFor(coupon, line));
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0);
  const counts =
    isInForce(coupon, now) &&
    isIn(coupon, currency) &&
    subtotal >= (coupon.min_subtotal ?? 0) &&
    lines.some((line, index) => applies[index] && line.subtotal > 0);
  return counts ? { kind: coupon.kind, value: coupon.value, applies } : couponInvalid();
}
