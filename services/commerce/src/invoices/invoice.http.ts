import { instant } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import {
  type Operation,
  Problem,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import type { InvoiceLinks } from '../ports/invoice-links.ts';
import { invoiceKinds } from './invoice.numbers.ts';
import { invoiceOfRow, invoices } from './invoice.rows.ts';
import { invoiceCodeParams, invoiceParams, invoiceReply, ownInvoice, sharedInvoice } from './invoice.schema.ts';
import { invoiceDecider } from './invoice.ts';
import { invoiceDocument, sharedInvoiceDocument } from './invoice.view.ts';

interface LinkPorts {
  readonly invoiceLinks: InvoiceLinks;
}

const reading = {
  area: 'orders',
  scope: 'orders:read',
  anonymous: true,
  roles: heads,
  method: 'GET',
  status: 200,
} as const;

const id = z.string().min(1).max(64);
const kind = z.enum(invoiceKinds).optional();

/** Lists the invoices and credit notes of a school for those who run it. */
const listInvoices = ({ invoiceLinks }: LinkPorts): Operation =>
  operation({
    ...reading,
    id: 'listInvoices',
    path: '/api/invoices',
    summary: 'List invoices and credit notes',
    description:
      'For owners and admins, newest first; without a token the list is empty. The list follows writes with a short delay: see Consistency-Token. Who buys stands where one document is read.',
    readModel: invoices,
    query: z.strictObject({
      ...listFilters,
      kind,
      order_id: id.optional(),
      member_id: id.optional(),
      issued_after: instant().optional(),
      issued_before: instant().optional(),
      ...fieldsOf(invoiceReply),
    }),
    reply: listOf(invoiceReply),
    async handle(call, { documents }) {
      const sort = orderOf(call.query);
      if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
      const { order_id, member_id, issued_after, issued_before } = call.query;
      const where = [
        ...given(call.query.kind, (is) => ({ field: 'kind', is })),
        ...given(order_id, (is) => ({ field: 'order_id', is })),
        ...given(member_id, (is) => ({ field: 'member_id', is })),
        ...given(issued_after, (above) => ({ field: 'created_at', above })),
        ...given(issued_before, (below) => ({ field: 'created_at', below })),
        ...filterConditions(call.query),
      ];
      const page = await documents.query(invoices, call.school, { where, sort, ...call.page });
      const urlOf = (one: string) => invoiceLinks.urlOf(call.school, call.issuer, one);
      return listReply(page, (row) => invoiceDocument(row.id, invoiceOfRow(row.body), urlOf(row.id), call.view), sort);
    },
  });

/** Reads one invoice or credit note. */
const getInvoice = ({ invoiceLinks }: LinkPorts): Operation =>
  operation({
    ...reading,
    id: 'getInvoice',
    path: '/api/invoices/{invoice}',
    summary: 'Read an invoice or a credit note',
    description: 'As it was issued. Of a buyer who was erased the country is left.',
    params: invoiceParams,
    reply: invoiceReply,
    async handle(call, { log }) {
      if (!call.principal) throw new Problem('not_found');
      const { invoice: stream } = call.params;
      const { state, ...found } = await fold(log, invoiceDecider, call.school, stream);
      if (!state) throw new Problem('not_found');
      const url = invoiceLinks.urlOf(call.school, call.issuer, stream);
      return { body: invoiceDocument(stream, state, url, call.view), ...asOf(found) };
    },
  });

/** Lists the invoices of the token's person. */
const listOwnInvoices = ({ invoiceLinks }: LinkPorts): Operation =>
  operation({
    id: 'listOwnInvoices',
    method: 'GET',
    path: '/api/account/invoices',
    area: 'account',
    scope: 'account:read',
    anonymous: false,
    staff: [],
    status: 200,
    summary: 'List your invoices and credit notes',
    description:
      'For what you paid and got back, newest first, with the addresses of the documents. The list follows writes with a short delay: see Consistency-Token.',
    readModel: invoices,
    query: z.strictObject({ ...listFilters, kind, order_id: id.optional(), ...fieldsOf(ownInvoice) }),
    reply: listOf(ownInvoice),
    async handle(call, { documents }) {
      const sort = orderOf(call.query);
      if (!call.principal) throw new Problem('access_denied');
      const where = [
        { field: 'member_id', is: call.principal.subject },
        ...given(call.query.kind, (is) => ({ field: 'kind', is })),
        ...given(call.query.order_id, (is) => ({ field: 'order_id', is })),
        ...filterConditions(call.query),
      ];
      const page = await documents.query(invoices, call.school, { where, sort, ...call.page });
      const urlOf = (one: string) => invoiceLinks.urlOf(call.school, call.issuer, one);
      return listReply(page, (row) => invoiceDocument(row.id, invoiceOfRow(row.body), urlOf(row.id), 'member'), sort);
    },
  });

/** Lets whoever has its address read an invoice. */
const readInvoice = ({ invoiceLinks }: LinkPorts): Operation =>
  operation({
    id: 'readInvoice',
    method: 'GET',
    path: '/invoices/{code}',
    area: 'orders',
    summary: 'Read an invoice by its address',
    description:
      'An invoice or a credit note, for whoever has the address: it stands in the buyer’s mail, lists and order. A browser gets a page that can be printed. Of a buyer who was erased the country is left.',
    anonymous: true,
    staff: [],
    params: invoiceCodeParams,
    status: 200,
    reply: sharedInvoice,
    errors: ['not_found'],
    async handle({ school, issuer, params }, { log }) {
      const stream = invoiceLinks.idOf(school, params.code);
      const state = stream === undefined ? null : (await fold(log, invoiceDecider, school, stream)).state;
      if (stream === undefined || !state) throw new Problem('not_found', 'There is no such invoice');
      return { body: sharedInvoiceDocument(stream, state, invoiceLinks.urlOf(school, issuer, stream)) };
    },
  });

/** What is read of invoices. */
export const invoiceOperations = (ports: LinkPorts): readonly Operation[] => [
  listInvoices(ports),
  getInvoice(ports),
  listOwnInvoices(ports),
  readInvoice(ports),
];
