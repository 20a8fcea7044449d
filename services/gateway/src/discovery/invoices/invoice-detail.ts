import { z } from 'zod';
import type { Api } from '../../upstream/school-api.ts';

const money = z.object({ amount: z.int(), currency: z.string() });
const text = z.string().nullable();

const invoice = z.object({
  kind: z.enum(['invoice', 'credit_note']),
  label: z.string(),
  order_number: z.int(),
  /** Days in the calendar of the school. */
  issued_on: z.iso.date(),
  paid_on: z.iso.date().nullable(),
  refunded_on: z.iso.date().nullable(),
  of_invoice: z.object({ label: z.string() }).nullable(),
  of_credit_note: z.object({ label: z.string() }).nullable(),
  seller: z.object({ name: z.string(), details: text }),
  buyer: z.object({ name: text, company: text, address: text, tax_id: text, country: text }),
  lines: z.array(
    z.object({
      title: z.string(),
      quantity: z.int().nullable(),
      unit_price: money.nullable(),
      discount: money.nullable(),
      tax: money,
      total: money,
    }),
  ),
  subtotal: money.nullable(),
  discount_total: money.nullable(),
  tax_inclusive: z.boolean(),
  taxes: z.array(z.object({ rate_bp: z.int(), net: money, tax: money })),
  total: money,
});

/** An invoice or a credit note as whoever has its address reads it. */
export type InvoiceDetail = z.output<typeof invoice>;

/** Reads the invoice that a code is of; undefined when there is none. Rejects when nobody can tell. */
export async function readInvoice(api: Api, code: string): Promise<InvoiceDetail | undefined> {
  const { status, body } = await api(`/invoices/${code}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`an invoice answers ${status}`);
  return invoice.parse(body);
}
