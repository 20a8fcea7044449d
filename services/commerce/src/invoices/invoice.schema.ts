import { z } from 'zod';
import { money } from '../money/money.schema.ts';
import { invoiceKinds } from './invoice.numbers.ts';

const time = z.iso.datetime();
const day = z.iso.date();

/** What tells one document from another. */
const summary = {
  id: z.string().meta({ example: 'invoice_0195a3c2-7d10-7abc-8def-0123456789ab' }),
  object: z.literal('invoice'),
  kind: z.enum(invoiceKinds).meta({ description: 'credit_note: for what was paid back.' }),
  number: z.int().meta({ description: 'Counts the documents of this kind of the school from 1, without gaps.' }),
  label: z.string().meta({ description: 'The number as it stands on the document.', example: 'INV-000042' }),
  order_id: z.string(),
  order_number: z.int(),
  issued_on: day.meta({ description: 'In the calendar of the school.' }),
  total: money.meta({ description: 'With the tax. Of a credit note, what was paid back.' }),
  tax_total: money,
  currency: z.string(),
  url: z.url().meta({
    description: 'The document as a page to print. Whoever has the address reads it: it is for the buyer.',
  }),
};

const line = z
  .object({
    title: z.string(),
    quantity: z.int().nullable().meta({ description: 'null on a credit note.' }),
    unit_price: money.nullable(),
    discount: money.nullable(),
    tax: money,
    total: money,
  })
  .meta({ id: 'InvoiceLine', description: 'What was paid for, or is taken off.' });

const text = z.string().nullable();

const contents = {
  seller: z
    .object({
      name: z.string(),
      details: text.meta({ description: 'Legal name, address and tax id, as the school states them.' }),
    })
    .meta({ id: 'InvoiceSeller', description: 'Who sells.' }),
  buyer: z
    .object({ name: text, company: text, address: text, tax_id: text, country: text })
    .meta({ id: 'InvoiceBuyer', description: 'As it was given. Once the person is erased only the country is left.' }),
  lines: z.array(line),
  subtotal: money.nullable(),
  discount_total: money.nullable(),
  tax_inclusive: z.boolean().meta({ description: 'Whether prices are told with the tax in them.' }),
  taxes: z
    .array(
      z
        .object({ rate_bp: z.int().meta({ description: 'Hundredths of a per cent.' }), net: money, tax: money })
        .meta({ id: 'InvoiceTax', description: 'What the tax of a rate is on, and the tax.' }),
    )
    .meta({ description: 'By rate.' }),
  paid_on: day.nullable(),
  refunded_on: day.nullable(),
  of_credit_note: z.object({ id: z.string(), number: z.int(), label: z.string() }).nullable().meta({
    id: 'ReplacedCreditNote',
    description: 'The credit note that an invoice is in place of: its refund failed.',
  }),
  of_invoice: z
    .object({ id: z.string(), number: z.int(), label: z.string() })
    .nullable()
    .meta({ id: 'CreditedInvoice', description: 'The invoice that a credit note is about.' }),
};

const last = { created_at: time, updated_at: time, version: z.int().min(1) };

/** An invoice or a credit note as the staff read it. */
export const invoiceReply = z
  .object({
    ...summary,
    member_id: z.string().nullable().meta({ description: 'null until a guest is known as a member.' }),
    ...contents,
    ...last,
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'Invoice', description: 'What was issued about a payment or a refund. It never changes.' });

/** The same as its buyer finds it in a list. */
export const ownInvoice = z
  .object({ ...summary, ...last })
  .meta({ id: 'OwnInvoice', description: 'An invoice or a credit note of the person. All of it is at `url`.' });

/** The same as whoever has its address reads it. */
export const sharedInvoice = z
  .object({ ...summary, ...contents })
  .meta({ id: 'SharedInvoice', description: 'An invoice or a credit note, as its buyer reads it.' });

/** An invoice or a credit note of an order. */
export const invoiceOfOrder = z
  .object({ id: summary.id, kind: summary.kind, number: summary.number, label: summary.label, url: summary.url })
  .meta({ id: 'InvoiceOfOrder', description: 'An invoice or a credit note that was issued for an order.' });

/** The invoice of a path. */
export const invoiceParams = z.object({
  invoice: z
    .string()
    .regex(/^invoice_[0-9a-f-]{36}$/)
    .meta({ description: 'Id of the invoice or the credit note.' }),
});

/** The code of a path. */
export const invoiceCodeParams = z.object({
  code: z.string().min(1).max(120).meta({ description: 'The end of the address of the document.' }),
});
