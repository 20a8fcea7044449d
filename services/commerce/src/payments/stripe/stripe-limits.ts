import { leastCharge } from '../../money/least-charge.ts';
import { type Money, decimalOf } from '../../money/money.ts';
import { stripeAmount } from './stripe-amounts.ts';

/** Amounts have eight digits at most, but for some currencies of small units, of which Stripe says it when it is asked. */
const most = 99_999_999;
const longer = new Set(['COP', 'HUF', 'IDR', 'INR', 'JPY', 'LBP']);
const mostOfLonger = 999_999_999_999;

/** Why Stripe takes no such payment, in words for buyers; undefined when it may. 0: nothing is paid, but agreed to. */
export function refusedByStripe(money: Money): string | undefined {
  const { amount, currency } = money;
  if (amount === 0) return undefined;
  const said = `${decimalOf(money)} ${currency}`;
  try {
    const units = stripeAmount(money);
    if (amount < leastCharge(currency)) return `Stripe takes no amount as small as ${said}`;
    if (units > (longer.has(currency) ? mostOfLonger : most)) return `Stripe takes no amount as large as ${said}`;
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return `Stripe takes no amount of ${said}`;
    throw error;
  }
}
