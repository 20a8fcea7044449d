import { percentOf, split } from '@lyceum/kernel';
import { type Tax, taxOf } from './tax.ts';

/** What is to be paid for: so many of something, each at a price in minor units. */
export interface PricedLine {
  readonly quantity: number;
  readonly unit_price: number;
}

/** What is taken off: per cent (1 to 100) of what it applies to, or an amount in minor units, no more than that. */
export interface Discount {
  readonly kind: 'percent' | 'amount';
  readonly value: number;
}

/** What a line comes to, in minor units. `total` is what is paid for it: less the discount, with the tax. */
export interface LineTotals {
  readonly subtotal: number;
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
}

/** What lines come to together; every sum is that of its lines. */
export interface Totals {
  readonly lines: readonly LineTotals[];
  readonly subtotal: number;
  readonly discount_total: number;
  readonly tax_total: number;
  readonly total: number;
}

/** A discount, and which of the lines it is for. */
export interface Reduction extends Discount {
  readonly applies: readonly boolean[];
}

/** What a discount takes off an amount. */
export const discountOn = (amount: number, { kind, value }: Discount): number =>
  kind === 'percent' ? percentOf(amount, value) : Math.min(value, amount);

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/**
 * What lines of one currency come to. The discount and the tax are worked out for the lines together and split among them
 * by what each line costs, so that nothing is lost or made by rounding. Amounts are 0 or more.
 */
export function totalsOf(lines: readonly PricedLine[], reduction: Reduction | null, tax: Tax): Totals {
  const subtotals = lines.map(({ quantity, unit_price }) => quantity * unit_price);
  const reduced = subtotals.map((subtotal, index) => (reduction?.applies[index] ? subtotal : 0));
  const discounts = reduction ? split(discountOn(sum(reduced), reduction), reduced) : subtotals.map(() => 0);
  const nets = subtotals.map((subtotal, index) => subtotal - (discounts[index] ?? 0));
  const taxes = split(taxOf(sum(nets), tax), nets);
  const all = subtotals.map((subtotal, index): LineTotals => {
    const [discount = 0, own = 0] = [discounts[index], taxes[index]];
    return { subtotal, discount, tax: own, total: subtotal - discount + (tax.inclusive ? 0 : own) };
  });
  return {
    lines: all,
    subtotal: sum(subtotals),
    discount_total: sum(discounts),
    tax_total: sum(taxes),
    total: sum(all.map(({ total }) => total)),
  };
}
