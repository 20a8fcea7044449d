import type { NewCreditNote, NewInvoice } from '../invoices/invoice.ts';
import { halfUp, split } from '@lyceum/kernel';
import type { Order } from '../orders/order.state.ts';

/** A seller and a buyer as they stand on a document; `day`: an instant (RFC 3339) as a day of the school's calendar. */
export interface Parties {
  readonly seller: NewInvoice['seller'];
  readonly buyer: NewInvoice['buyer'];
  day(at: string): string;
}

type Issued = Omit<NewCreditNote, 'refund_id' | 'of_invoice' | 'refunded_on' | 'lines'>;

/** What all documents about an order have in common, for so much of it. */
function issued(
  order_id: string,
  order: Order,
  { seller, buyer }: Parties,
  about: { readonly issued_on: string; readonly total: number; readonly tax_total: number },
): Issued {
  const { currency, tax, number: order_number } = order;
  const { total, tax_total } = about;
  return {
    ...about,
    order_id,
    order_number,
    seller,
    buyer,
    currency,
    tax_inclusive: tax.inclusive,
    taxes: [{ rate_bp: tax.rate_bp, net: total - tax_total, tax: tax_total }],
  };
}

/** The payment that was captured for an order. */
export interface CapturedPayment {
  readonly payment_id: string;
  readonly provider: string;
  readonly paid_at: string;
}

/** The invoice of an order for the payment that was captured. */
export function invoiceOf(
  order_id: string,
  order: Order,
  parties: Parties,
  { payment_id, provider, paid_at }: CapturedPayment,
  at: string,
): NewInvoice {
  const { total, tax_total, subtotal, discount_total, lines } = order;
  return {
    ...issued(order_id, order, parties, { issued_on: parties.day(at), total, tax_total }),
    payment_id,
    provider,
    paid_on: parties.day(paid_at),
    lines: lines.map((line) => ({
      line_id: line.line_id,
      title: line.title,
      quantity: line.quantity,
      unit_price: line.unit_price,
      discount: line.discount,
      tax: line.tax,
      total: line.total,
    })),
    subtotal,
    discount_total,
  };
}

/** The tax in the first so much of what an order cost; all of it in all of it. Halves go up. */
const taxIn = ({ total, tax_total }: Order, amount: number): number =>
  total === 0 ? 0 : halfUp(BigInt(tax_total) * BigInt(amount), BigInt(total));

/** Money that went back. */
export interface MadeRefund {
  readonly refund_id: string;
  readonly amount: number;
  readonly line_ids: readonly string[];
  /** RFC 3339 UTC. */
  readonly at: string;
}

/** What was credited before, in all and the tax in it. Minor units. */
export interface Credited {
  readonly total: number;
  readonly tax_total: number;
}

/**
 * The credit note of a refund. Its tax is what is missing to the part of the order's that was paid back in all, so that the
 * notes of an order that is paid back whole have all of the tax. Its lines are those that were taken back with it, else all,
 * each with its share.
 */
export function creditNoteOf(
  order_id: string,
  order: Order,
  parties: Parties,
  { amount, refund_id, line_ids, at: refunded_at }: MadeRefund,
  of: { readonly id: string; readonly number: number; readonly at: string; readonly credited: Credited },
): NewCreditNote {
  const missing = taxIn(order, of.credited.total + amount) - of.credited.tax_total;
  const tax_total = Math.max(0, Math.min(missing, amount));
  const named = order.lines.filter((line) => line_ids.includes(line.line_id) && line.total > 0);
  const about = named.length > 0 ? named : order.lines;
  const totals = split(
    amount,
    about.map(({ total }) => total),
  );
  const taxes = split(tax_total, totals);
  const lines = about.map(({ line_id, title }, index) => ({
    line_id,
    title,
    tax: taxes[index] ?? 0,
    total: totals[index] ?? 0,
  }));
  return {
    ...issued(order_id, order, parties, { issued_on: parties.day(of.at), total: amount, tax_total }),
    refund_id,
    of_invoice: { id: of.id, number: of.number },
    refunded_on: parties.day(refunded_at),
    lines: lines.filter(({ total }) => total > 0),
  };
}

/** The invoice in place of a credit note whose refund failed after it was told as done: of the same lines and tax. */
export function invoiceAgainOf(
  order_id: string,
  order: Order,
  parties: Parties,
  note: Pick<NewCreditNote, 'lines' | 'total' | 'tax_total'> & { readonly id: string; readonly number: number },
  { payment_id, provider, paid_at, at }: CapturedPayment & { readonly at: string },
): NewInvoice {
  const { id, number, total, tax_total } = note;
  const lines = note.lines.map(({ line_id, title, tax, total: cost }) => {
    const unit_price = order.tax.inclusive ? cost : cost - tax;
    return { line_id, title, tax, total: cost, quantity: 1, unit_price, discount: 0 };
  });
  return {
    ...issued(order_id, order, parties, { issued_on: parties.day(at), total, tax_total }),
    payment_id,
    provider,
    paid_on: parties.day(paid_at),
    lines,
    subtotal: order.tax.inclusive ? total : total - tax_total,
    discount_total: 0,
    of_credit_note: { id, number },
  };
}
