import type { Incoming } from '@lyceum/documents';
import { Erased, execute, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, upcast, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { creditNoteIdOf, documentIdsOf, invoiceAgainIdOf, invoiceIdOf } from '../invoices/invoice.ids.ts';
import { type InvoiceKind, invoiceNumbering, invoiceNumberingStream } from '../invoices/invoice.numbers.ts';
import { type InvoiceCommand, type InvoiceState, invoiceDecider } from '../invoices/invoice.ts';
import { type OrderData, type OrderEvent, orderEvents } from '../orders/order.events.ts';
import { isOrderId } from '../orders/order.ids.ts';
import type { Order } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { type Credited, type Parties, creditNoteOf, invoiceAgainOf, invoiceOf } from './invoice.of-order.ts';
import { partiesOf, withoutBuyer } from './invoice.parties.ts';

/** With what documents are issued. */
export type IssuingPorts = Pick<ModulePorts, 'log' | 'clock' | 'ask'>;

/** An order that something is issued for. `at`: now, RFC 3339 UTC. */
interface Ordered {
  readonly school: string;
  readonly id: string;
  readonly order: Order;
  readonly at: string;
}

type CommandOf = (parties: Parties, numbering: number) => InvoiceCommand;

/**
 * Issues a document under the next number of its kind, in one commit with it. What was issued already stays: no number is
 * given twice, and none without a document.
 */
async function issue(
  ports: IssuingPorts,
  { school: tenant, order, at }: Ordered,
  { stream, kind }: { readonly stream: string; readonly kind: InvoiceKind },
  commandOf: CommandOf,
): Promise<void> {
  const { log } = ports;
  const { state } = await fold(log, invoiceDecider, tenant, stream);
  if (state) return;
  const parties = await partiesOf(ports, tenant, order);
  const numbers = invoiceNumberingStream(kind);
  const write = async (who: Parties) => {
    const command = async () => {
      const { state: last, version } = await fold(log, invoiceNumbering, tenant, numbers);
      return { command: commandOf(who, last), expectedVersions: [{ stream: numbers, version }] };
    };
    const commitId = uuidv5('invoice-issued', tenant, stream);
    const done = await execute(log, invoiceDecider, { tenant, stream, at, meta: system, command, commitId });
    if (isRejection(done)) throw new Error(done.reason);
  };
  try {
    await write(parties);
  } catch (error) {
    if (!(error instanceof Erased)) throw error;
    await write(withoutBuyer(parties));
  }
}

const system = { actor: 'system' } as const;

async function issueInvoice(ports: IssuingPorts, ordered: Ordered, paid: OrderData<'OrderPaid'>): Promise<void> {
  const { payment_id, provider, paid_at } = paid;
  if (payment_id === null || paid.amount === 0) return;
  const { id, order, at } = ordered;
  const stream = invoiceIdOf(id);
  await issue(ports, ordered, { stream, kind: 'invoice' }, (parties, numbering) => ({
    type: 'IssueInvoice',
    id: stream,
    invoice: invoiceOf(id, order, parties, { payment_id, provider, paid_at }, at),
    numbering,
  }));
}

/** An invoice or a credit note; null when none of that id was issued. */
const documentOf = async ({ log }: IssuingPorts, school: string, id: string): Promise<InvoiceState> =>
  (await fold(log, invoiceDecider, school, id)).state;

/** What was credited for an order by other refunds, but for those that failed after all. */
async function creditedBefore(ports: IssuingPorts, { school, id, order }: Ordered, refund: string): Promise<Credited> {
  let credited = { total: 0, tax_total: 0 };
  for (const { refund_id } of order.refunds) {
    if (refund_id === refund) continue;
    const note = await documentOf(ports, school, creditNoteIdOf(id, refund_id));
    if (!note || (await documentOf(ports, school, invoiceAgainIdOf(id, refund_id)))) continue;
    credited = { total: credited.total + note.total, tax_total: credited.tax_total + note.tax_total };
  }
  return credited;
}

async function issueCreditNote(
  ports: IssuingPorts,
  ordered: Ordered,
  { payment_id, refund_id, amount, lines }: OrderData<'OrderRefunded'>,
  refunded_at: string,
): Promise<void> {
  if (payment_id === null || amount === 0) return;
  const { school, id, order, at } = ordered;
  const invoice_id = invoiceIdOf(id);
  const invoice = await documentOf(ports, school, invoice_id);
  // The payment is the earlier event of the same stream, and its invoice was issued before this is done.
  if (!invoice) throw new Error('a refund has no invoice that it is about');
  const credited = await creditedBefore(ports, ordered, refund_id);
  const of = { id: invoice_id, number: invoice.number, at, credited };
  const refund = { refund_id, amount, line_ids: lines.map(({ line_id }) => line_id), at: refunded_at };
  const stream = creditNoteIdOf(id, refund_id);
  await issue(ports, ordered, { stream, kind: 'credit_note' }, (parties, numbering) => ({
    type: 'IssueCreditNote',
    id: stream,
    note: creditNoteOf(id, order, parties, refund, of),
    numbering,
  }));
}

/** A refund failed after its credit note was issued: what it took off is invoiced again. */
async function issueAgain(ports: IssuingPorts, ordered: Ordered, refund_id: string): Promise<void> {
  const { school, id, order, at } = ordered;
  const note_id = creditNoteIdOf(id, refund_id);
  const note = await documentOf(ports, school, note_id);
  const first = await documentOf(ports, school, invoiceIdOf(id));
  if (!note || first?.kind !== 'invoice') return;
  const { payment_id, provider } = first;
  const captured = { payment_id, provider, paid_at: order.paid_at ?? at, at };
  const stream = invoiceAgainIdOf(id, refund_id);
  await issue(ports, ordered, { stream, kind: 'invoice' }, (parties, numbering) => ({
    type: 'IssueInvoice',
    id: stream,
    invoice: invoiceAgainOf(id, order, parties, { ...note, id: note_id }, captured),
    numbering,
  }));
}

async function attachBuyer({ log }: IssuingPorts, { school: tenant, id, order, at }: Ordered, member_id: string) {
  for (const stream of documentIdsOf(id, order.refunds)) {
    const { state } = await fold(log, invoiceDecider, tenant, stream);
    if (!state) continue;
    const commitId = uuidv5('invoice-buyer', tenant, stream);
    const command = { type: 'AttachInvoiceBuyer', member_id } as const;
    const done = await execute(log, invoiceDecider, { tenant, stream, at, meta: system, command, commitId });
    if (isRejection(done)) throw new Error(done.reason);
  }
}

async function follow(
  event: OrderEvent,
  { tenant: school, stream: id, at }: Incoming,
  ports: IssuingPorts,
): Promise<void> {
  const { state: order } = await fold(ports.log, orderDecider, school, id);
  if (!order) return;
  const ordered = { school, id, order, at: isoTime(ports.clock.now()) };
  switch (event.type) {
    case 'OrderPaid':
      return issueInvoice(ports, ordered, event.data);
    case 'OrderRefunded':
      return issueCreditNote(ports, ordered, event.data, at);
    case 'RefundReversed':
      return issueAgain(ports, ordered, event.data.refund_id);
    case 'OrderBuyerAttached':
      return attachBuyer(ports, ordered, event.data.member_id);
    default:
      return undefined;
  }
}

const issuedFor = ['OrderPaid', 'OrderRefunded', 'RefundReversed', 'OrderBuyerAttached'] as const;

/** Issues what follows from an event of an order, if anything does. Idempotent. */
export async function issueDocuments(event: Incoming, ports: IssuingPorts): Promise<void> {
  if (isOrderId(event.stream) && issuedFor.some((type) => type === event.type))
    await follow(upcast(orderEvents, event), event, ports);
}

/**
 * Issues an invoice for every payment that was captured, a credit note for everything that was paid back, and an invoice
 * again when that did not go back after all. Events of one order are followed in order, so that no credit note comes before
 * its invoice.
 */
export const invoiceIssuing: Reaction = {
  name: 'invoice-issuing',
  events: issuedFor,
  perform: issueDocuments,
};
