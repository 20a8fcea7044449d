import { describe, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import { payable } from '../billing/amounts.ts';
import type { Discount, Terms } from '../billing/terms.ts';
import { addsUp } from '../orders/deciding/order.placing.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';
import { renewalOf } from '../subscriptions/subscription.schedule.ts';
import { after, ask, day, monthly, yearly } from '../subscriptions/testing/histories.ts';
import { orderFor } from './wanted-order.ts';

const amount = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 1_000_000_000 }));
const tax = fc.record({ inclusive: fc.boolean(), rate_bp: fc.constantFrom(0, 1, 700, 1_900, 2_550, 10_000) });
const coupon = fc.option(
  fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant('amount' as const), value: fc.integer({ min: 1, max: 5_000 }) }),
  ),
);
const discountOf = (given: { kind: 'percent' | 'amount'; value: number } | null): Discount | null =>
  given && { coupon_id: 'coupon_1', remaining_cycles: null, ...given };

const priced = (terms: Terms, price: number): Terms => ({ ...terms, price: { amount: price, currency: 'USD' } });
const times = { expires_at: day(30), holds_until: day(31) };
const about = {
  id: 'order_0195a3c2-7d10-7abc-8def-0123456789ab',
  subscription: 'subscription_1',
  member_id: 'account_1',
  provider: 'stripe',
  title: 'Friends',
} as const;

/** What does not hold of the order of a net amount and has to. */
function faultIn(terms: Terms, net: number, given: { inclusive: boolean; rate_bp: number }): string | undefined {
  const order = orderFor({ source: 'renewal', terms, total: net, ...times }, { ...about, tax: given });
  if (!addsUp(order)) return 'it does not add up';
  if (order.subtotal - order.discount_total !== net) return 'its net is not what is to be paid';
  if (order.subtotal !== terms.price.amount) return 'its price is not that of the plan';
  const [whole, rate, on] = [10_000n, BigInt(given.rate_bp), BigInt(net)];
  const divisor = given.inclusive ? whole + rate : whole;
  // The tax is at most half a unit from the exact one.
  const error = 2n * (BigInt(order.tax_total) * divisor - on * rate);
  if (error > divisor || error < -divisor) return 'its tax is not the rate';
  return order.total === net + (given.inclusive ? 0 : order.tax_total) ? undefined : 'its total has another tax';
}

describe('the orders of subscriptions (10,000 each)', () => {
  test('are over what is left of a period after coupon and balance, and the tax on it', () =>
    fc.assert(
      fc.property(amount, coupon, amount, tax, (price, given, balance, rate) => {
        const terms = priced(monthly, price);
        const { total, discount, balance_used } = payable(terms, discountOf(given), balance);
        if (total + discount + balance_used !== price || balance_used > balance) throw new Error('something is lost');
        const fault = faultIn(terms, total, rate);
        if (fault) throw new Error(fault);
      }),
      { numRuns: 10_000 },
    ));

  test('are over what a change of the plan costs beyond what was not used, and nothing of that is lost', () =>
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 30 }), tax, (old, price, at, rate) => {
        const history = after(ask.place(day(0), priced(monthly, old)), ask.start(day(0)));
        const wanted = priced(yearly, price);
        const events = subscriptionDecider.decide(ask.change(day(at), wanted), history.state);
        if (isRejection(events)) throw new Error(events.reason);
        const [event] = events;
        if (event?.type !== 'SubscriptionPlanChangeRequested' && event?.type !== 'SubscriptionPlanChanged')
          throw new Error('nothing was asked for');
        const { credit, charge, balance, coupon: kept } = event.data;
        if (kept !== history.state?.coupon) throw new Error('the coupon is another one');
        if (credit > old || credit < 0 || charge < 0 || balance < 0) throw new Error('more is credited than was paid');
        if (price - charge !== credit - balance) throw new Error('what was credited is neither used nor kept');
        const fault = faultIn(wanted, charge, rate);
        if (fault) throw new Error(fault);
      }),
      { numRuns: 10_000 },
    ));

  test('are over what the next period of the subscription costs', () =>
    fc.assert(
      fc.property(amount, coupon, tax, (price, given, rate) => {
        const place = { ...ask.place(day(0), priced(monthly, price)), coupon: discountOf(given) };
        const next = renewalOf(after(place, ask.start(day(0))).state!);
        if (!next) throw new Error('nothing follows');
        const fault = faultIn(next.terms, next.total, rate);
        if (fault) throw new Error(fault);
      }),
      { numRuns: 10_000 },
    ));
});
