import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { newCreditNote, newInvoice } from '../testing/invoices-of-tests.ts';
import type { InvoiceEvent } from './invoice.events.ts';
import { creditNoteIdOf, documentIdsOf, invoiceAgainIdOf, invoiceIdOf, isInvoiceId } from './invoice.ids.ts';
import { invoiceLabel } from './invoice.numbers.ts';
import { type InvoiceCommand, invoiceDecider } from './invoice.ts';

const id = 'invoice_0195a3c2-7d10-7abc-8def-0123456789ab';
const issue: InvoiceCommand = { type: 'IssueInvoice', id, invoice: newInvoice, numbering: 41 };
const credit: InvoiceCommand = { type: 'IssueCreditNote', id, note: newCreditNote, numbering: 0 };
const issued: InvoiceEvent = { type: 'InvoiceIssued', data: { ...newInvoice, number: 42 } };
const credited: InvoiceEvent = { type: 'CreditNoteIssued', data: { ...newCreditNote, number: 1 } };
const attach = (member_id: string): InvoiceCommand => ({ type: 'AttachInvoiceBuyer', member_id });

describe('an invoice', () => {
  test('has the number after the last one, and is issued once', () => {
    given(invoiceDecider).when(issue).then(issued);
    given(invoiceDecider, issued)
      .when({ ...issue, numbering: 50 })
      .unchanged();
    given(invoiceDecider).when(credit).then(credited);
    given(invoiceDecider, credited).when(credit).unchanged();
  });

  test('gives its number in the commit in which it is issued, in the stream of its kind, and none otherwise', () => {
    const { sideEvents } = invoiceDecider;
    const after = (event: InvoiceEvent) => given(invoiceDecider, event).state;
    expect(sideEvents?.(null, after(issued), issue)).toEqual([
      { stream: 'invoice-numbers', type: 'InvoiceNumbered', schema: 1, data: { invoice_id: id, number: 42 } },
    ]);
    expect(sideEvents?.(null, after(credited), credit)).toMatchObject([{ stream: 'credit-note-numbers' }]);
    expect(sideEvents?.(after(issued), after(issued), attach('account_1'))).toEqual([]);
  });

  test.each([
    ['total', { total: 124 }],
    ['tax', { tax_total: 22 }],
    ['rates', { taxes: [{ rate_bp: 2300, net: 101, tax: 22 }] }],
    ['lines', { lines: [] }],
  ])('whose %s does not add up is never issued', (_, wrong) => {
    const invoice = { ...newInvoice, ...wrong };
    expect(() => given(invoiceDecider).when({ ...issue, invoice })).toThrow('not those of its lines');
  });

  test('becomes a member’s when it is known who bought, once', () => {
    const attached: InvoiceEvent = { type: 'InvoiceBuyerAttached', data: { member_id: 'account_1' } };
    for (const event of [issued, credited]) {
      given(invoiceDecider, event).when(attach('account_1')).then(attached);
      given(invoiceDecider, event, attached).when(attach('account_1')).unchanged();
      given(invoiceDecider, event, attached).when(attach('account_2')).rejected('invalid_state');
    }
    given(invoiceDecider).when(attach('account_1')).rejected('not_found');
  });

  test('knows when it was issued, whatever happens to it later', () => {
    const { state } = given(invoiceDecider, credited, { type: 'InvoiceBuyerAttached', data: { member_id: 'a' } });
    expect(state).toMatchObject({ created_at: '2026-01-05T08:00:00.000Z', version: 2, buyer: { member_id: 'a' } });
  });
});

describe('ids and numbers', () => {
  test('follow from the order and the refund', () => {
    const refunds = [
      { refund_id: 'one', state: 'done' },
      { refund_id: 'two', state: 'requested' },
    ];
    const all = documentIdsOf('order_1', refunds);
    expect(all).toEqual([invoiceIdOf('order_1'), creditNoteIdOf('order_1', 'one'), invoiceAgainIdOf('order_1', 'one')]);
    expect([...all, invoiceIdOf('order_2')].every(isInvoiceId)).toBe(true);
    expect(new Set([...all, invoiceIdOf('order_2'), creditNoteIdOf('order_1', 'two')]).size).toBe(5);
  });

  test('are written with their kind', () =>
    expect([invoiceLabel('invoice', 42), invoiceLabel('credit_note', 1234567)]).toEqual(['INV-000042', 'CN-1234567']));
});
