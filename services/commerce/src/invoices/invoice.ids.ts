import { uuidv5 } from '@lyceum/kernel';

const form = /^invoice_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is the id of an invoice or a credit note. */
export const isInvoiceId = (id: string): boolean => form.test(id);

/** The invoice of an order: there is one at most. */
export const invoiceIdOf = (order: string): string => `invoice_${uuidv5('invoice', order)}`;

/** The credit note of a refund. */
export const creditNoteIdOf = (order: string, refund: string): string =>
  `invoice_${uuidv5('credit-note', order, refund)}`;

/** The invoice in place of the credit note of a refund that failed after it was told as done. */
export const invoiceAgainIdOf = (order: string, refund: string): string =>
  `invoice_${uuidv5('invoice-again', order, refund)}`;

interface DoneOrNot {
  readonly refund_id: string;
  readonly state: string;
}

/** The ids of all documents that an order with these refunds may have, the invoice first. */
export const documentIdsOf = (order: string, refunds: readonly DoneOrNot[]): readonly string[] => [
  invoiceIdOf(order),
  ...refunds
    .filter(({ state }) => state === 'done' || state === 'failed')
    .flatMap(({ refund_id }) => [creditNoteIdOf(order, refund_id), invoiceAgainIdOf(order, refund_id)]),
];
