import { leastCharge } from '../money/least-charge.ts';
import { split } from '@lyceum/kernel';
import { discountOn } from '../money/totals.ts';
import { daysBetween } from './period.ts';
import type { Discount, Terms } from './terms.ts';

/** What one period costs, and how it is paid. Minor units; `total` is what is left to be paid. */
export interface Payable {
  readonly price: Terms['price'];
  readonly discount: number;
  readonly balance_used: number;
  readonly total: number;
}

/**
 * What a period of a plan costs after a discount, when so much is there already. Less of the balance is used where so little
 * would be left that nobody could be charged for it; it stays for later.
 */
export function payable({ price }: Pick<Terms, 'price'>, coupon: Discount | null, balance: number): Payable {
  const discount = coupon ? discountOn(price.amount, coupon) : 0;
  const due = price.amount - discount;
  const balance_used = usable(Math.min(balance, due), due, leastCharge(price.currency));
  return { price, discount, balance_used, total: due - balance_used };
}

/** As much of a balance as leaves nothing, or at least so much; all of it where too little is due from the start. */
const usable = (balance: number, due: number, least: number): number =>
  balance === due || due < least ? balance : Math.min(balance, due - least);

/** The coupon after one more payment. */
export const spend = (coupon: Discount | null): Discount | null => {
  if (!coupon || coupon.remaining_cycles === null) return coupon;
  return coupon.remaining_cycles <= 1 ? null : { ...coupon, remaining_cycles: coupon.remaining_cycles - 1 };
};

/** A period with an end, and its school's time zone. */
interface Lasting {
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
}

/**
 * What of the value of a period lies in its days that have not begun, counting today: the value is split by days, so that
 * the used and the unused part are the value to the last minor unit.
 */
export function unusedPart(value: number, { start, end, timezone }: Lasting, now: string): number {
  const days = daysBetween(start, end, timezone);
  const unused = Math.max(0, Math.min(days, daysBetween(now, end, timezone)));
  return days <= 0 ? 0 : (split(value, [unused, days - unused])[0] ?? 0);
}
