import type { NewCreditNote, NewInvoice } from '../invoices/invoice.ts';
import { id as order_id, payment_id } from './orders-of-tests.ts';

const issued = {
  order_id,
  order_number: 7,
  issued_on: '2026-01-05',
  seller: { id: 'school_1', name: 'Test School', details: 'Rua 1' },
  buyer: { id: 'buyer_1', member_id: null, name: 'Ada', country: 'PT' },
  currency: 'USD',
  tax_inclusive: false,
};

/** What is invoiced for one line of 100 with 23 % tax. */
export const newInvoice: NewInvoice = {
  ...issued,
  taxes: [{ rate_bp: 2300, net: 100, tax: 23 }],
  tax_total: 23,
  total: 123,
  payment_id,
  provider: 'test',
  paid_on: '2026-01-05',
  lines: [
    { line_id: `${order_id}.1`, title: 'Lanterns', quantity: 1, unit_price: 100, discount: 0, tax: 23, total: 123 },
  ],
  subtotal: 100,
  discount_total: 0,
};

/** What is credited for all of it. */
export const newCreditNote: NewCreditNote = {
  ...issued,
  taxes: [{ rate_bp: 2300, net: 100, tax: 23 }],
  tax_total: 23,
  total: 123,
  refund_id: 'refund_1',
  of_invoice: { id: 'invoice_1', number: 3 },
  refunded_on: '2026-01-06',
  lines: [{ line_id: `${order_id}.1`, title: 'Lanterns', tax: 23, total: 123 }],
};
