import { type EventOf, type EventTypes, personal } from '@lyceum/kernel';
import { z } from 'zod';

const id = z.string();

/** In minor units of the document's currency, as all amounts are. */
const amount = z.int();

/** A day in the calendar of the school, YYYY-MM-DD. */
const day = z.string();

/** What people are invoiced with: as it was known when the document was issued. */
const issued = {
  /** Counts the documents of its kind of the school, without gaps, from 1. */
  number: z.int(),
  order_id: id,
  order_number: z.int(),
  issued_on: day,
  seller: z.object({
    /** The school. */
    id,
    name: z.string(),
    /** Legal name, address and tax id, as the school states them for invoices. */
    details: personal(z.string(), './id').optional(),
  }),
  buyer: z.object({
    /** Whose personal data the document has: that of the order. */
    id,
    member_id: id.nullable(),
    name: personal(z.string(), './id').optional(),
    email: personal(z.string(), './id').optional(),
    company: personal(z.string(), './id').optional(),
    address: personal(z.string(), './id').optional(),
    tax_id: personal(z.string(), './id').optional(),
    /** ISO 3166-1 alpha-2: it stays when the person is erased. */
    country: z.string().nullable(),
  }),
  currency: z.string(),
  /** Whether prices are told with the tax in them. */
  tax_inclusive: z.boolean(),
  /** By rate, in hundredths of a per cent: what the tax is on, and the tax. */
  taxes: z.array(z.object({ rate_bp: z.int(), net: amount, tax: amount })),
  tax_total: amount,
  total: amount,
};

const line = { line_id: id, title: z.string(), tax: amount, total: amount };

/** The facts of an invoice or a credit note, in a stream named after its id. What is issued never changes. */
export const invoiceEvents = {
  /** A payment was captured; or, with `of_credit_note`, money that had gone back came back. */
  InvoiceIssued: {
    version: 1,
    data: z.object({
      ...issued,
      payment_id: id,
      provider: z.string(),
      paid_on: day,
      lines: z.array(z.object({ ...line, quantity: z.int(), unit_price: amount, discount: amount })),
      subtotal: amount,
      discount_total: amount,
      of_credit_note: z.object({ id, number: z.int() }).optional(),
    }),
  },
  /** Something of it was paid back. */
  CreditNoteIssued: {
    version: 1,
    data: z.object({
      ...issued,
      refund_id: id,
      of_invoice: z.object({ id, number: z.int() }),
      refunded_on: day,
      lines: z.array(z.object(line)),
    }),
  },
  /** It is known which member the buyer is. */
  InvoiceBuyerAttached: { version: 1, data: z.object({ member_id: id }) },
} as const satisfies EventTypes;

/** An event of an invoice or a credit note. */
export type InvoiceEvent = EventOf<typeof invoiceEvents>;

/** The data of an event of an invoice or a credit note. */
export type InvoiceData<T extends InvoiceEvent['type']> = Extract<InvoiceEvent, { type: T }>['data'];
