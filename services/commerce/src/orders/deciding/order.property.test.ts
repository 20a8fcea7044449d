import { describe, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import { id, noticed, nothingHeld, placing, starting, times } from '../../testing/orders-of-tests.ts';
import type { OrderEvent } from '../order.events.ts';
import { paymentId } from '../order.ids.ts';
import { addsUp } from './order.placing.ts';
import { type OrderState, capturedOf, refundedOf } from '../order.state.ts';
import { type OrderCommand, orderDecider } from './order.ts';

const kinds = [
  'processing',
  'captured',
  'failed',
  'refunded',
  'refund_failed',
  'disputed',
  'dispute_won',
  'dispute_lost',
] as const;
const step = fc.oneof(
  fc.record({
    do: fc.constant('notice' as const),
    kind: fc.constantFrom(...kinds),
    amount: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.integer({ min: 0, max: 700 })),
    event: fc.integer({ min: 1, max: 6 }),
    payment: fc.integer({ min: 1, max: 3 }),
    currency: fc.oneof({ weight: 8, arbitrary: fc.constant('USD') }, fc.constant('JPY')),
    suspends: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('refund' as const),
    amount: fc.option(fc.integer({ min: 1, max: 400 })),
    line: fc.integer({ min: 0, max: 3 }),
    n: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    do: fc.constantFrom(
      'pay' as const,
      'switch' as const,
      'expire' as const,
      'cancel' as const,
      'attach' as const,
      'back' as const,
      'fail back' as const,
    ),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const at = [times.placed, times.paid, times.late, times.gone, times.end] as const;

const providerOf = ({ payments }: NonNullable<OrderState>, payment_id: string | null): string =>
  payments.find((each) => each.payment_id === payment_id)?.provider ?? 'test';

/** The command of a step. What is paid back under an id is what was asked for. */
function commandOf(each: Step, now: string, state: NonNullable<OrderState>): OrderCommand {
  switch (each.do) {
    case 'notice': {
      const { kind, event, payment, currency, suspends } = each;
      const amount = each.amount ?? state.total;
      const payment_id = paymentId(id, payment);
      const provider = providerOf(state, payment_id);
      return {
        ...noticed(kind, amount, { event_id: `event_${event}`, payment_id, currency, provider, now }),
        suspends,
      };
    }
    case 'refund': {
      const line_ids = each.line === 0 ? [] : [`${id}.${each.line}`];
      return {
        type: 'RequestRefund',
        order_id: id,
        refund_id: `refund_${each.n}`,
        amount: each.amount,
        line_ids,
        reason: 'r',
        held: nothingHeld,
      };
    }
    case 'back': {
      const wanted = state.refunds.find((refund) => refund.state === 'requested');
      if (!wanted) return { type: 'RecordReturn', refund_id: `return_${paymentId(id, 1)}` };
      const { refund_id, amount } = wanted;
      return noticed('refunded', amount, {
        refund_id,
        event_id: refund_id,
        payment_id: wanted.payment_id ?? '',
        provider: providerOf(state, wanted.payment_id),
        now,
      });
    }
    case 'fail back': {
      const last = state.refunds.findLast((refund) => refund.state !== 'failed' && refund.payment_id !== null);
      const { refund_id = 'refund_9', amount = 1, payment_id } = last ?? {};
      const about = { refund_id, event_id: `failed_${refund_id}`, payment_id: payment_id ?? paymentId(id, 1), now };
      return noticed('refund_failed', amount, about);
    }
    case 'pay':
      return starting({ payment_id: paymentId(id, state.payments.length + 1), now });
    case 'switch': {
      const end = { expires_at: times.gone, holds_until: times.end };
      return starting({ payment_id: paymentId(id, state.payments.length + 1), provider: 'manual', end, now });
    }
    case 'expire':
      return { type: 'ExpireOrder', now };
    case 'cancel':
      return { type: 'CancelOrder', order_id: id, reason: 'r', held: nothingHeld };
    case 'attach':
      return { type: 'AttachBuyer', member_id: 'account_1' };
  }
}

interface Told {
  readonly line_id: string;
  readonly source_id?: string | undefined;
}

/** The sources that were told as given, or as taken back, of a member. */
const told = (history: readonly OrderEvent[], of: (event: OrderEvent) => readonly Told[]): readonly Told[] =>
  history
    .filter(({ data }) => 'member_id' in data && data.member_id !== null)
    .flatMap(of)
    .map(({ line_id, source_id = line_id }) => ({ line_id, source_id }));

/** Of how many sources a member has a line, whatever they were told first: what was taken back is never given again. */
function sourcesOf(history: readonly OrderEvent[], line_id: string): number {
  const given = told(history, (event) => {
    if (event.type === 'OrderFulfillable' || event.type === 'RefundReversed') return event.data.lines;
    return event.type === 'OrderDisputeResolved' ? (event.data.restored ?? []) : [];
  });
  const taken = told(history, (event) => {
    if (event.type === 'OrderRefunded' || event.type === 'OrderDisputeResolved') return event.data.lines;
    return event.type === 'OrderDisputed' ? (event.data.lines ?? []) : [];
  });
  const back = new Set(taken.map(({ source_id }) => source_id));
  return new Set(
    given.flatMap(({ source_id, line_id: of }) => (of === line_id && !back.has(source_id) ? [source_id] : [])),
  ).size;
}

/** Whether a member has what the order says of a line, and has it once. */
const isGivenRight = ({ lines, fulfillable }: NonNullable<OrderState>, history: readonly OrderEvent[]): boolean =>
  lines.every(
    ({ line_id, revoked, suspended = false }) =>
      sourcesOf(history, line_id) === (fulfillable && !revoked && !suspended ? 1 : 0),
  );

/** What does not hold of an order and has to, whatever happened to it; expectations are too slow for so many. */
function faultIn(state: NonNullable<OrderState>, history: readonly OrderEvent[]): string | undefined {
  const { total, lines, status } = state;
  const captured = capturedOf(state)?.amount ?? 0;
  const countOf = (wanted: OrderEvent['type']) => history.filter(({ type }) => type === wanted).length;
  if (!addsUp(state)) return 'it does not add up';
  if (refundedOf(state, ['done']) > captured) return 'more was paid back than was paid';
  if (countOf('OrderPaid') > 1) return 'it was paid twice';
  if (countOf('OrderFulfillable') > 1) return 'it was given twice';
  if (state.expires_at > state.holds_until) return 'it can be paid longer than it is held';
  if (countOf('OrderDisputed') > 0 && countOf('OrderPaid') === 0) return 'it was disputed and never paid';
  if (captured !== 0 && captured !== total) return 'it was paid with another amount';
  if (status === 'paid' && captured > 0 && lines.some(({ revoked }) => revoked))
    return 'nothing was refunded, and something was taken back';
  if (!isGivenRight(state, history)) return 'the member has something else than what the order says';
  if (status === 'refunded' && !lines.every(({ revoked }) => revoked)) return 'it was refunded and not taken back';
  return undefined;
}

describe('every history of an order (10,000)', () => {
  test('adds up, is paid once at most, and pays back no more than was paid', () => {
    const prices = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 3 });
    const moment = fc.integer({ min: 0, max: at.length - 1 });
    const buyer = fc.constantFrom('member' as const, 'guest' as const);
    fc.assert(
      fc.property(prices, buyer, fc.array(fc.tuple(step, moment), { maxLength: 14 }), (all, who, steps) => {
        const history: OrderEvent[] = [];
        let state: OrderState = null;
        const write = (command: OrderCommand, now: string) => {
          const decision = orderDecider.decide(command, state);
          if (isRejection(decision)) return;
          for (const event of decision) {
            state = orderDecider.evolve(state, event, { at: now, version: history.length + 1 });
            history.push(event);
          }
        };
        write(placing(all, who), times.placed);
        for (const [each, index] of steps) {
          if (state) write(commandOf(each, at[index] ?? times.placed, state), at[index] ?? times.placed);
          const fault = state && faultIn(state, history);
          if (fault) throw new Error(fault);
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
