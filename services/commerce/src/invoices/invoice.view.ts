import { invoiceLabel } from './invoice.numbers.ts';
import type { Invoice } from './invoice.ts';

/** What a view shows of an invoice. */
type Shown = 'anonymous' | 'member' | 'staff';

/** What tells an invoice from another. `url`: the address of its page. */
function summaryOf(id: string, invoice: Invoice, url: string) {
  const { kind, number, order_id, order_number, issued_on, currency } = invoice;
  const money = (amount: number) => ({ amount, currency });
  return {
    id,
    object: 'invoice',
    kind,
    number,
    label: invoiceLabel(kind, number),
    order_id,
    order_number,
    issued_on,
    total: money(invoice.total),
    tax_total: money(invoice.tax_total),
    currency,
    url,
  } as const;
}

/** What stands in an invoice, as whoever has its address reads it. */
export function sharedInvoiceDocument(id: string, invoice: Invoice, url: string) {
  const { currency, seller, buyer, tax_inclusive } = invoice;
  const money = (amount: number) => ({ amount, currency });
  const { name, company, address, tax_id, country } = buyer;
  return {
    ...summaryOf(id, invoice, url),
    seller: { name: seller.name, details: seller.details ?? null },
    buyer: {
      name: name ?? null,
      company: company ?? null,
      address: address ?? null,
      tax_id: tax_id ?? null,
      country,
    },
    tax_inclusive,
    taxes: invoice.taxes.map(({ rate_bp, net, tax }) => ({ rate_bp, net: money(net), tax: money(tax) })),
    ...(invoice.kind === 'invoice' ? paidPart(invoice, money) : refundedPart(invoice, money)),
  };
}

type Money = (amount: number) => { readonly amount: number; readonly currency: string };

const paidPart = (invoice: Extract<Invoice, { kind: 'invoice' }>, money: Money) => ({
  lines: invoice.lines.map(({ title, quantity, unit_price, discount, tax, total }) => ({
    title,
    quantity,
    unit_price: money(unit_price),
    discount: money(discount),
    tax: money(tax),
    total: money(total),
  })),
  subtotal: money(invoice.subtotal),
  discount_total: money(invoice.discount_total),
  paid_on: invoice.paid_on,
  refunded_on: null,
  of_invoice: null,
  of_credit_note: invoice.of_credit_note
    ? { ...invoice.of_credit_note, label: invoiceLabel('credit_note', invoice.of_credit_note.number) }
    : null,
});

const refundedPart = (note: Extract<Invoice, { kind: 'credit_note' }>, money: Money) => ({
  lines: note.lines.map(({ title, tax, total }) => ({
    title,
    quantity: null,
    unit_price: null,
    discount: null,
    tax: money(tax),
    total: money(total),
  })),
  subtotal: null,
  discount_total: null,
  paid_on: null,
  refunded_on: note.refunded_on,
  of_invoice: { ...note.of_invoice, label: invoiceLabel('invoice', note.of_invoice.number) },
  of_credit_note: null,
});

/** An invoice as it is shown; to its buyer in a list without its contents, which the reply leaves out. */
export function invoiceDocument(id: string, invoice: Invoice, url: string, view: Shown) {
  const { created_at, updated_at, version, buyer } = invoice;
  return {
    ...sharedInvoiceDocument(id, invoice, url),
    member_id: buyer.member_id,
    created_at,
    updated_at,
    version,
    view,
  };
}
