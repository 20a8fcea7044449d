import { type PersonalData, type Slice, aggregate, rowsAbout, streamNamed, streamsOf } from '@lyceum/service';
import { fold } from '@lyceum/eventlog';
import type { Ports } from '@lyceum/web';
import type { CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { invoiceEvents } from './invoice.events.ts';
import { invoiceFact } from './invoice.facts.ts';
import { invoiceOperations } from './invoice.http.ts';
import { invoiceNumbering, invoiceNumberingEvents, invoiceNumberingStream } from './invoice.numbers.ts';
import { invoiceProjection, invoices } from './invoice.rows.ts';
import { invoiceDecider } from './invoice.ts';
import { sharedInvoiceDocument } from './invoice.view.ts';

/** What a person was invoiced, as it stands on the documents. Their addresses are not in it: they would outlive the export. */
const invoiceData: PersonalData<Pick<Ports, 'documents' | 'log'>> = {
  file: 'invoices',
  read: (person, ports, after) =>
    rowsAbout(ports, person, { collection: invoices, field: 'member_id' }, after, async ({ id }) => {
      const { state } = await fold(ports.log, invoiceDecider, person.school, id);
      if (!state) throw new Error('an invoice stands in the list of a person, and there is none');
      const { url: _url, ...document } = sharedInvoiceDocument(id, state, '');
      return document;
    }),
};

/** Invoices of payments, and credit notes of refunds. */
export const invoiceSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'invoices',
  operations: invoiceOperations,
  events: { ...invoiceEvents, ...invoiceNumberingEvents },
  aggregates: [
    aggregate(streamsOf('invoice_'), invoiceDecider),
    aggregate(streamNamed(invoiceNumberingStream('invoice')), invoiceNumbering),
    aggregate(streamNamed(invoiceNumberingStream('credit_note')), invoiceNumbering),
  ],
  projections: [invoiceProjection],
  toFact: invoiceFact,
  personalData: [invoiceData],
};
