import type { Terms } from '../billing/terms.ts';
import type { Tax } from '../money/tax.ts';
import { totalsOf } from '../money/totals.ts';
import type { PlacedOrder } from '../orders/order.commands.ts';
import { lineId } from '../orders/order.ids.ts';
import { savesAgreements } from '../payments/agreements.ts';
import type { ProviderName } from '../payments/payment-provider.ts';

/** What a subscription is to pay for. Amounts are minor units, before tax; times RFC 3339 UTC. */
export interface WantedOrder {
  readonly source: 'renewal' | 'change';
  readonly terms: Terms;
  /** What is left to be paid after discount, credit and balance. */
  readonly total: number;
  readonly expires_at: string;
  readonly holds_until: string;
}

/** Whose order it is, how it is paid, and what the plan is called. */
interface About {
  readonly id: string;
  readonly subscription: string;
  readonly member_id: string;
  readonly provider: ProviderName;
  readonly title: string;
  readonly tax: Tax;
}

/** The order with its one line, at the tax of now; its discount is what coupon, credit and balance take off the price. */
export function orderFor(
  { source, terms, total: net, expires_at, holds_until }: WantedOrder,
  { id, subscription, member_id, provider, title, tax }: About,
): PlacedOrder {
  const { amount: unit_price, currency } = terms.price;
  const off = { kind: 'amount', value: unit_price - net, applies: [true] } as const;
  const { subtotal, discount_total, tax_total, total } = totalsOf([{ quantity: 1, unit_price }], off, tax);
  const about = { line_id: lineId(id, 1), item_type: 'membership_plan', item_id: terms.plan_id, title };
  return {
    source,
    buyer: { id: member_id, member_id },
    lines: [{ ...about, quantity: 1, unit_price, discount: discount_total, tax: tax_total, total, seat: false }],
    subtotal,
    discount_total,
    tax_total,
    total,
    currency,
    tax,
    coupon: null,
    subscription_id: subscription,
    saves_agreement: savesAgreements(provider),
    secret_hash: null,
    expires_at,
    holds_until,
  };
}
