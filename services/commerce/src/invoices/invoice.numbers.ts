import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The events that give invoices and credit notes their numbers. */
export const invoiceNumberingEvents = {
  InvoiceNumbered: { version: 1, data: z.object({ invoice_id: z.string(), number: z.int() }) },
} as const satisfies EventTypes;

/** Kinds of documents, each with numbers of its own. */
export const invoiceKinds = ['invoice', 'credit_note'] as const;

/** What a document is. */
export type InvoiceKind = (typeof invoiceKinds)[number];

/** The stream of a school that gives the documents of a kind their numbers: as it is written with each, there are no gaps. */
export const invoiceNumberingStream = (kind: InvoiceKind): string =>
  kind === 'invoice' ? 'invoice-numbers' : 'credit-note-numbers';

/** The number that was given last; 0 = none was. */
export type InvoiceNumberingState = number;

/** Nothing is asked of the numbers by themselves. */
export const invoiceNumbering = {
  events: invoiceNumberingEvents,
  initial: 0,
  snapshot: { version: 1 },
  evolve: (_before: InvoiceNumberingState, { data }: EventOf<typeof invoiceNumberingEvents>): InvoiceNumberingState =>
    data.number,
} as const;

/** A number as it stands on a document: `INV-000042`, `CN-000007`. */
export const invoiceLabel = (kind: InvoiceKind, number: number): string =>
  `${kind === 'invoice' ? 'INV' : 'CN'}-${String(number).padStart(6, '0')}`;
