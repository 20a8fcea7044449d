import {
  type Decider,
  type Recorded,
  type Rejection,
  type SideEvent,
  recording,
  reject,
  unrecorded,
} from '@lyceum/kernel';
import { type InvoiceData, type InvoiceEvent, invoiceEvents } from './invoice.events.ts';
import {
  type InvoiceKind,
  type InvoiceNumberingState,
  invoiceNumberingEvents,
  invoiceNumberingStream,
} from './invoice.numbers.ts';

interface Issued extends Recorded {
  readonly kind: InvoiceKind;
}

/** An invoice, as it was issued. */
export interface PaidInvoice extends Issued, InvoiceData<'InvoiceIssued'> {
  readonly kind: 'invoice';
}

/** A credit note, as it was issued. */
export interface CreditNote extends Issued, InvoiceData<'CreditNoteIssued'> {
  readonly kind: 'credit_note';
}

/** An invoice or a credit note. */
export type Invoice = PaidInvoice | CreditNote;

/** An invoice or a credit note; null = there is none. */
export type InvoiceState = Invoice | null;

/** What is invoiced: all of it but the number, which follows from those before. */
export type NewInvoice = Omit<InvoiceData<'InvoiceIssued'>, 'number'>;

/** What is credited, but for the number. */
export type NewCreditNote = Omit<InvoiceData<'CreditNoteIssued'>, 'number'>;

/** What can be asked of an invoice or a credit note. `numbering`: of its kind, as it is now. */
export type InvoiceCommand =
  | {
      readonly type: 'IssueInvoice';
      readonly id: string;
      readonly invoice: NewInvoice;
      readonly numbering: InvoiceNumberingState;
    }
  | {
      readonly type: 'IssueCreditNote';
      readonly id: string;
      readonly note: NewCreditNote;
      readonly numbering: InvoiceNumberingState;
    }
  | { readonly type: 'AttachInvoiceBuyer'; readonly member_id: string };

/** What a command can be rejected for. */
export type InvoiceCode = 'not_found' | 'invalid_state';

type Decision = readonly InvoiceEvent[] | Rejection<InvoiceCode>;

/** What was issued stays as it is: to issue it again changes nothing. */
function decide(command: InvoiceCommand, state: InvoiceState): Decision {
  switch (command.type) {
    case 'IssueInvoice':
      if (state) return [];
      return [{ type: 'InvoiceIssued', data: { ...checked(command.invoice), number: command.numbering + 1 } }];
    case 'IssueCreditNote':
      if (state) return [];
      return [{ type: 'CreditNoteIssued', data: { ...checked(command.note), number: command.numbering + 1 } }];
    case 'AttachInvoiceBuyer':
      return attach(command.member_id, state);
  }
}

function attach(member_id: string, state: InvoiceState): Decision {
  if (!state) return reject('not_found', 'There is no such invoice');
  if (state.buyer.member_id === member_id) return [];
  if (state.buyer.member_id !== null) return reject('invalid_state', 'The invoice is somebody else’s');
  return [{ type: 'InvoiceBuyerAttached', data: { member_id } }];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** Throws when a document does not add up: nothing is issued then, and an operator is told. */
function checked<T extends Pick<NewCreditNote, 'lines' | 'taxes' | 'tax_total' | 'total'>>(document: T): T {
  const { lines, taxes, tax_total, total } = document;
  const isWhole =
    total === sum(lines.map((line) => line.total)) &&
    total === sum(taxes.map(({ net, tax }) => net + tax)) &&
    tax_total === sum(lines.map(({ tax }) => tax)) &&
    tax_total === sum(taxes.map(({ tax }) => tax));
  if (!isWhole) throw new Error('the totals of an invoice are not those of its lines');
  return document;
}

function apply(state: InvoiceState, event: InvoiceEvent): InvoiceState {
  switch (event.type) {
    case 'InvoiceIssued':
      return { ...event.data, kind: 'invoice', ...unrecorded };
    case 'CreditNoteIssued':
      return { ...event.data, kind: 'credit_note', ...unrecorded };
    case 'InvoiceBuyerAttached':
      return state && { ...state, buyer: { ...state.buyer, member_id: event.data.member_id } };
  }
}

const ofInvoice = recording(apply, { created: 'InvoiceIssued' });
const ofCreditNote = recording(apply, { created: 'CreditNoteIssued' });

/** Folds an event as the log recorded it. */
export const evolve: typeof ofInvoice = (state, event, context) =>
  (event.type === 'CreditNoteIssued' ? ofCreditNote : ofInvoice)(state, event, context);

/** Its number, in the stream of its kind, in its own commit. */
function sideEvents(before: InvoiceState, after: InvoiceState, command: InvoiceCommand): readonly SideEvent[] {
  if (before || !after || command.type === 'AttachInvoiceBuyer') return [];
  const data = { invoice_id: command.id, number: after.number };
  const { version: schema } = invoiceNumberingEvents.InvoiceNumbered;
  return [{ stream: invoiceNumberingStream(after.kind), type: 'InvoiceNumbered', schema, data }];
}

/** An invoice or a credit note: issued once, under the next number of its kind. */
export const invoiceDecider: Decider<InvoiceState, InvoiceCommand, InvoiceEvent, InvoiceCode> = {
  events: invoiceEvents,
  initial: null,
  decide,
  evolve,
  sideEvents,
};
