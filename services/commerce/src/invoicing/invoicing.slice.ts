import type { Slice } from '@lyceum/service';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { invoiceIssuing } from './invoice.issuing.ts';

/** How invoices come from orders. */
export const invoicingSlice: Slice<CommerceSettings> = {
  name: 'invoicing',
  operations: [],
  reactions: [invoiceIssuing],
};
