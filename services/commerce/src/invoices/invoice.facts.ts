import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { invoiceEvents } from './invoice.events.ts';
import { isInvoiceId } from './invoice.ids.ts';

/** What other services hear of an invoice: ids and amounts, neither seller nor buyer. */
export function invoiceFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!isInvoiceId(recorded.stream)) return undefined;
  const event = upcast(invoiceEvents, recorded);
  if (event.type === 'InvoiceBuyerAttached') return undefined;
  const { number, order_id, buyer, total, tax_total, currency } = event.data;
  const { member_id } = buyer;
  const data = { invoice_id: recorded.stream, number, order_id, member_id, total, tax_total, currency };
  if (event.type === 'InvoiceIssued') return { type: event.type, data };
  const { of_invoice, refund_id } = event.data;
  return { type: event.type, data: { ...data, of_invoice_id: of_invoice.id, refund_id } };
}
