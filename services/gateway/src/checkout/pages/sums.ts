import type { UiLanguage } from '@lyceum/contracts';
import type { CheckoutTexts } from '../texts/checkout-texts.ts';
import { fact, priceIn, told } from './markup.ts';

interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** What things come to. */
export interface Sums {
  readonly subtotal: Money;
  readonly discount_total: Money;
  readonly tax_total: Money;
  readonly total: Money;
}

interface More {
  readonly coupon: string | undefined;
  /** Undefined where the rate is not known any more. */
  readonly tax: { readonly inclusive: boolean; readonly rate_bp: number } | undefined;
}

const per = (rate_bp: number, language: UiLanguage): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(rate_bp / 10_000);

/** What things come to, as a list: parts that are nothing are left out. */
export function sums(
  { subtotal, discount_total, tax_total, total }: Sums,
  { coupon, tax }: More,
  said: CheckoutTexts,
  language: UiLanguage,
): string {
  const price = (money: Money): string => priceIn(money, language);
  // Tax that prices have in them is no part of the sum of before.
  const inclusive = tax?.inclusive ?? subtotal.amount - discount_total.amount === total.amount;
  const word = inclusive ? said.taxIncluded : said.taxAdded;
  const taxed = tax ? `${word} (${per(tax.rate_bp, language)})` : word;
  const name = coupon === undefined ? said.discount : `${said.discount} (${told(coupon)})`;
  const rows = [
    ...(discount_total.amount > 0 || (tax_total.amount > 0 && !inclusive)
      ? [fact(said.subtotal, price(subtotal))]
      : []),
    ...(discount_total.amount > 0 ? [fact(name, `−${price(discount_total)}`)] : []),
    ...(tax_total.amount > 0 && !inclusive ? [fact(taxed, price(tax_total))] : []),
    fact(said.total, price(total), 'total'),
    ...(tax_total.amount > 0 && inclusive ? [fact(taxed, price(tax_total))] : []),
  ];
  return `<dl class="sums">\n${rows.join('\n')}\n</dl>`;
}
