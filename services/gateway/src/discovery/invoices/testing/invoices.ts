import type { InvoiceDetail } from '../invoice-detail.ts';

const usd = (amount: number) => ({ amount, currency: 'USD' });

/** An invoice over 120.00 less 10 %, with 23 % tax on it. */
export const invoiceOfTests = (change: Partial<InvoiceDetail> = {}): InvoiceDetail => ({
  kind: 'invoice',
  label: 'INV-000042',
  order_number: 7,
  issued_on: '2026-01-05',
  paid_on: '2026-01-05',
  refunded_on: null,
  of_invoice: null,
  of_credit_note: null,
  seller: { name: 'School', details: 'School Lda\nRua 1' },
  buyer: { name: 'Ada', company: 'Byron Ltd', address: 'Rua 2', tax_id: 'PT9', country: 'PT' },
  lines: [
    {
      title: 'Lanterns',
      quantity: 1,
      unit_price: usd(10_000),
      discount: usd(1_000),
      tax: usd(2_070),
      total: usd(11_070),
    },
    { title: 'Looms', quantity: 2, unit_price: usd(1_000), discount: usd(200), tax: usd(414), total: usd(2_214) },
  ],
  subtotal: usd(12_000),
  discount_total: usd(1_200),
  tax_inclusive: false,
  taxes: [{ rate_bp: 2300, net: usd(10_800), tax: usd(2_484) }],
  total: usd(13_284),
  ...change,
});

/** A credit note over 100.00 and 23 % tax. */
export const creditNoteOfTests = (): InvoiceDetail => ({
  ...invoiceOfTests(),
  kind: 'credit_note',
  label: 'CN-000001',
  paid_on: null,
  refunded_on: '2026-01-06',
  of_invoice: { label: 'INV-000042' },
  lines: [{ title: 'Lanterns', quantity: null, unit_price: null, discount: null, tax: usd(2_300), total: usd(12_300) }],
  subtotal: null,
  discount_total: null,
  taxes: [{ rate_bp: 2300, net: usd(10_000), tax: usd(2_300) }],
  total: usd(12_300),
});
