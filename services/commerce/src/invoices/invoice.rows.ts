import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { invoiceEvents } from './invoice.events.ts';
import { isInvoiceId } from './invoice.ids.ts';
import { type Invoice, evolve } from './invoice.ts';

/** The read model behind lists of invoices: ids and amounts, no person stands in it. */
export const invoices: Collection = {
  name: 'invoices',
  version: 1,
  fields: {
    kind: 'text',
    order_id: 'text',
    member_id: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** The invoice of a row, without what is personal. */
export const invoiceOfRow = (row: Document): Invoice => rowAs<{ readonly invoice: Invoice }>(row).invoice;

/** The invoice without what is personal about seller and buyer. */
function impersonal(invoice: Invoice): Invoice {
  const { seller, buyer } = invoice;
  const { id, member_id, country } = buyer;
  return { ...invoice, seller: { id: seller.id, name: seller.name }, buyer: { id, member_id, country } };
}

/** Folds the events of each invoice and credit note into its row. */
export const invoiceProjection: Projection = {
  collection: invoices,
  key: ({ stream }) => (isInvoiceId(stream) ? stream : undefined),
  project(event, before): Document | null {
    const { at, version } = event;
    const next = evolve(before ? invoiceOfRow(before) : null, upcast(invoiceEvents, event), { at, version });
    if (!next) return null;
    const invoice = impersonal(next);
    const { kind, order_id, buyer, created_at, updated_at } = invoice;
    return { invoice, kind, order_id, member_id: buyer.member_id, created_at, updated_at };
  },
};
