import { fold } from '@lyceum/eventlog';
import type { Call } from '@lyceum/web';
import { documentIdsOf } from '../invoices/invoice.ids.ts';
import { invoiceLabel } from '../invoices/invoice.numbers.ts';
import { invoiceDecider } from '../invoices/invoice.ts';
import { type Order, isBought } from '../orders/order.state.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';

/** What was issued for an order by now, the invoice first. */
export async function invoicesOf(
  { log, invoiceLinks }: Pick<CommercePorts, 'log' | 'invoiceLinks'>,
  { school, issuer }: Pick<Call, 'school' | 'issuer'>,
  order: string,
  state: Order,
) {
  if (!isBought(state) || state.total === 0) return [];
  const found = await Promise.all(
    documentIdsOf(order, state.refunds).map(async (id) => ({
      id,
      invoice: (await fold(log, invoiceDecider, school, id)).state,
    })),
  );
  return found.flatMap(({ id, invoice }) => {
    if (!invoice) return [];
    const { kind, number } = invoice;
    return [{ id, kind, number, label: invoiceLabel(kind, number), url: invoiceLinks.urlOf(school, issuer, id) }];
  });
}
