import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import { invoiceDecider } from '../invoices/invoice.ts';
import { totalsOf } from '../money/totals.ts';
import { lineId } from '../orders/order.ids.ts';
import { type Order, refundedOf } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { id, noticed, nothingHeld, payment_id, placing, times } from '../testing/orders-of-tests.ts';
import { type Credited, type Parties, creditNoteOf, invoiceAgainOf, invoiceOf } from './invoice.of-order.ts';

const parties: Parties = {
  seller: { id: 'school_1', name: 'Test School' },
  buyer: { id: 'account_1', member_id: 'account_1', country: null },
  day: (at) => at.slice(0, 10),
};
const captured = { payment_id, provider: 'test', paid_at: times.paid };

interface Sold {
  readonly prices: readonly number[];
  readonly percent: number;
  readonly tax: { readonly inclusive: boolean; readonly rate_bp: number };
}

/** An order of these prices that is paid. */
function paidOrder({ prices, percent, tax }: Sold): Order {
  const priced = prices.map((unit_price) => ({ quantity: 1, unit_price }));
  const reduction = percent > 0 ? { kind: 'percent' as const, value: percent, applies: prices.map(() => true) } : null;
  const { lines, ...sums } = totalsOf(priced, reduction, tax);
  const command = placing(prices);
  const order = {
    ...command.order,
    ...sums,
    tax,
    lines: command.order.lines.map((line, index) => ({ ...line, ...pick(lines[index]) })),
  };
  const payment = sums.total > 0 ? { payment_id, provider: 'test' } : null;
  const placed = decided(null, { ...command, order, payment }, times.placed);
  return sums.total > 0 ? decided(placed, noticed('captured', sums.total), times.paid) : placed;
}

const pick = (line: { discount: number; tax: number; total: number } | undefined) => ({
  discount: line?.discount ?? 0,
  tax: line?.tax ?? 0,
  total: line?.total ?? 0,
});

function decided(state: Order | null, command: Parameters<typeof orderDecider.decide>[0], at: string): Order {
  const decision = orderDecider.decide(command, state);
  if (isRejection(decision)) throw new Error(decision.reason);
  const after = decision.reduce<Order | null>(
    (before, event, index) => orderDecider.evolve(before, event, { at, version: (before?.version ?? 0) + index + 1 }),
    state,
  );
  if (!after) throw new Error('there is no order');
  return after;
}

/** The order after a refund of so much, with these lines. */
function refunded(order: Order, refund_id: string, amount: number, line_ids: readonly string[]): Order {
  const asked = decided(
    order,
    { type: 'RequestRefund', order_id: id, refund_id, amount, line_ids, reason: 'r', held: nothingHeld },
    times.paid,
  );
  return decided(asked, noticed('refunded', amount, { refund_id, event_id: refund_id }), times.paid);
}

const creditedBy = (notes: readonly Credited[]): Credited => ({
  total: notes.reduce((sum, { total }) => sum + total, 0),
  tax_total: notes.reduce((sum, { tax_total }) => sum + tax_total, 0),
});

const noteOf = (order: Order, refund_id: string, before: readonly Credited[] = []) => {
  const refund = order.refunds.find((each) => each.refund_id === refund_id);
  if (!refund) throw new Error('there is no such refund');
  const of = { id: 'invoice_1', number: 1, at: times.paid, credited: creditedBy(before) };
  return creditNoteOf(id, order, parties, refund, of);
};

const taxed = { inclusive: false, rate_bp: 2300 };

describe('an invoice of an order', () => {
  test('has its lines, its tax by rate, and when it was paid', () => {
    const order = paidOrder({ prices: [100, 33], percent: 10, tax: taxed });
    const invoice = invoiceOf(id, order, parties, captured, '2026-01-06T00:30:00.000Z');
    expect(invoice).toMatchObject({
      order_id: id,
      order_number: 1,
      issued_on: '2026-01-06',
      paid_on: '2026-01-05',
      subtotal: 133,
      discount_total: 13,
      tax_total: 28,
      total: 148,
      taxes: [{ rate_bp: 2300, net: 120, tax: 28 }],
      tax_inclusive: false,
    });
    expect(invoice.lines.map(({ total }) => total)).toEqual(order.lines.map(({ total }) => total));
  });

  test('of a refund has the lines that were taken back, else all, each with its share', () => {
    const order = paidOrder({ prices: [100, 50], percent: 0, tax: taxed });
    const second = lineId(id, 2);
    const named = refunded(order, 'one', 62, [second]);
    expect(noteOf(named, 'one')).toMatchObject({
      total: 62,
      tax_total: 12,
      lines: [{ line_id: second, total: 62, tax: 12 }],
    });
    const rest = refunded(named, 'two', 30, []);
    expect(noteOf(rest, 'two', [noteOf(named, 'one')]).lines.map(({ total }) => total)).toEqual([20, 10]);
  });

  test('of an order in which a line costs nothing has no such line credited', () => {
    const order = paidOrder({ prices: [0, 50], percent: 0, tax: taxed });
    expect(noteOf(refunded(order, 'one', 10, []), 'one').lines).toEqual([
      { line_id: lineId(id, 2), title: 'Course 2', total: 10, tax: 2 },
    ]);
  });
});

describe('all documents of an order (10,000)', () => {
  test('come to what was paid and paid back, to the last unit, tax included', () => {
    const sold = fc.record({
      prices: fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 4 }),
      percent: fc.integer({ min: 0, max: 99 }),
      tax: fc.record({ inclusive: fc.boolean(), rate_bp: fc.integer({ min: 0, max: 3_000 }) }),
    });
    const refunds = fc.array(
      fc.record({
        part: fc.integer({ min: 1, max: 1_000 }),
        line: fc.integer({ min: 0, max: 4 }),
        fails: fc.integer({ min: 0, max: 6 }),
      }),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(sold, refunds, fc.boolean(), (what, parts, isWhole) => {
        let order = paidOrder(what);
        if (order.total === 0) return;
        const invoice = invoiceOf(id, order, parties, captured, times.paid);
        given(invoiceDecider).when({ type: 'IssueInvoice', id: 'invoice_1', invoice, numbering: 0 });
        const notes: ReturnType<typeof noteOf>[] = [];
        let asked = 0;
        const refund = (amount: number, line_ids: readonly string[]) => {
          asked += 1;
          const refund_id = `refund_${asked}`;
          order = refunded(order, refund_id, amount, line_ids);
          const note = noteOf(order, refund_id, notes);
          given(invoiceDecider).when({ type: 'IssueCreditNote', id: 'invoice_2', note, numbering: 0 });
          notes.push(note);
        };
        /** A refund fails after all: it is invoiced again, and counts for nothing. */
        const reverse = (at: number) => {
          const [note] = notes.splice(at, 1);
          if (!note) return;
          const { refund_id } = note;
          const about = { order_id: id, refund_id, event_id: `failed_${refund_id}` };
          order = decided(order, noticed('refund_failed', note.total, about), times.paid);
          const made = { ...note, id: 'invoice_2', number: 1 };
          const again = invoiceAgainOf(id, order, parties, made, { ...captured, at: times.paid });
          given(invoiceDecider).when({ type: 'IssueInvoice', id: 'invoice_3', invoice: again, numbering: 1 });
          if (again.total !== note.total || again.tax_total !== note.tax_total) throw new Error('it is not the same');
        };
        for (const { part, line, fails } of parts) {
          const left = order.total - refundedOf(order);
          const named = order.lines.filter((each, index) => index + 1 === line && !each.revoked && each.total > 0);
          const amount = Math.ceil((left * part) / 1_000);
          if (left === 0) continue;
          refund(
            amount,
            named.map(({ line_id }) => line_id),
          );
          if (fails < notes.length) reverse(fails);
        }
        const left = order.total - refundedOf(order);
        if (isWhole && left > 0) refund(left, []);
        const sum = (of: 'total' | 'tax_total') => notes.reduce((all, note) => all + note[of], 0);
        if (invoice.total !== order.total || sum('total') !== refundedOf(order)) throw new Error('totals differ');
        if (sum('tax_total') > invoice.tax_total) throw new Error('more tax is credited than was invoiced');
        if (refundedOf(order) === order.total && sum('tax_total') !== invoice.tax_total)
          throw new Error('an order that was paid back whole has tax left');
        if (notes.some(({ tax_total, lines }) => tax_total < 0 || lines.some(({ tax, total }) => tax < 0 || total < 1)))
          throw new Error('a credit note has a line of nothing or less');
      }),
      { numRuns: 10_000 },
    );
  });
});
