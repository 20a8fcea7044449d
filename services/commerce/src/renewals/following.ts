import { isRejection } from '@lyceum/kernel';
import { canBePaid } from '../orders/deciding/order.paying.ts';
import { type Order, capturedOf, isBought } from '../orders/order.state.ts';
import { providerNamed } from '../ports/commerce-ports.ts';
import { renewalOf } from '../subscriptions/subscription.schedule.ts';
import { type Subscription, hasEnded } from '../subscriptions/subscription.state.ts';
import { look } from './charging.ts';
import { doWhatIsDue, orderOfNext, renewalFailed } from './collecting.ts';
import { suspend } from './disputing.ts';
import { changeOrderId, renewalOrderId } from './renewal.ids.ts';
import {
  type Work,
  cancelOrder,
  decide,
  isAwaited,
  isUnpaid,
  order,
  orderNow,
  payBack,
  subscriptionNow,
  timeNow,
} from './renewal.work.ts';

/** What was paid for an order, before tax. */
const netOf = ({ subtotal, discount_total }: Order): number => subtotal - discount_total;

/** What a payment agreed to, where it is something else than before. */
function agreedBy(paid: Order, { provider, agreement }: Subscription) {
  const payment = capturedOf(paid);
  if (!payment?.agreement || (payment.agreement === agreement && payment.provider === provider)) return {};
  return { agreed: { provider: payment.provider, agreement: payment.agreement } };
}

/** What a paid order asks of its subscription. What it was not for is refused there. */
function askedBy(work: Work, order_id: string, paid: Order, state: Subscription) {
  const total = netOf(paid);
  switch (paid.source) {
    case 'renewal': {
      const next = renewalOf(state);
      const period_start = next && orderOfNext(work, next) === order_id ? next.period_start : '';
      // A period that costs too little to be charged is given: it counts as if that had been paid.
      const counted = paid.total === 0 && next ? next.total : total;
      return { type: 'RenewSubscription', order_id, period_start, total: counted, ...agreedBy(paid, state) } as const;
    }
    case 'change': {
      const { tenant, correlation } = work.ordered;
      const waiting = state.change?.change_id ?? '';
      const change_id = changeOrderId(tenant, correlation, waiting) === order_id ? waiting : '';
      return { type: 'CompletePlanChange', change_id, order_id, total } as const;
    }
    default: {
      const { provider = null, agreement = null } = capturedOf(paid) ?? {};
      const member_id = paid.buyer.member_id ?? '';
      return { type: 'StartSubscription', member_id, order_id, provider, agreement } as const;
    }
  }
}

/** Why money goes back, as the buyer reads it: a guest is not told what the member has whose address they gave. */
const reasonFor = ({ secret_hash }: Order, reason: string): string =>
  secret_hash === null ? reason : 'The subscription could not begin';

/** An order is paid and its buyer known: the subscription gets what it was for, or the money goes back. */
export async function follow(work: Work, id: string): Promise<object> {
  const paid = await orderNow(work, id);
  const line = paid?.lines[0];
  const { state } = await subscriptionNow(work);
  if (!paid || !state || !line || line.fulfilled || line.revoked) return {};
  const outcome = await decide(work, askedBy(work, id, paid, state), id);
  if (isRejection(outcome)) return (await payBack(work, id, reasonFor(paid, outcome.reason))) ?? {};
  const fulfilled = await order(work, id, { type: 'FulfilLine', line_id: line.line_id });
  return line.suspended ? suspend(work, id) : fulfilled;
}

/** A payment of an order failed: of a renewal it is tried again, by the person at any time. */
export async function paymentFailed(work: Work, id: string, payment_id: string): Promise<object> {
  const failed = await orderNow(work, id);
  return failed?.source === 'renewal' ? renewalFailed(work, id, payment_id) : {};
}

/** Nobody pays for an order any more, and what was sent in time has had time to come. Until then nothing follows. */
export async function notPaid(work: Work, id: string): Promise<object> {
  const given = await orderNow(work, id);
  const { state } = await subscriptionNow(work);
  if (!given || !state) return {};
  if (given.source === 'renewal') return doWhatIsDue(work);
  if (isAwaited(given, timeNow(work))) return {};
  if (given.source !== 'change') return decide(work, { type: 'AbandonSubscription', order_id: id });
  const { tenant, correlation } = work.ordered;
  const change_id = state.change?.change_id ?? '';
  if (changeOrderId(tenant, correlation, change_id) !== id) return {};
  await decide(work, { type: 'AbandonPlanChange', change_id });
  // A period may have ended while the change was waited for.
  return doWhatIsDue(work);
}

/** Whether what the subscription gives now was paid for by an order: not an earlier period. */
function paysFor(work: Work, id: string, state: Subscription): boolean {
  const next = renewalOf(state);
  const isFirst = state.order_id === id && (state.paid_by === null || state.status === 'trialing');
  return state.paid_by === id || isFirst || (next !== null && orderOfNext(work, next) === id);
}

/**
 * What an order was for was taken back, as it was paid back or the dispute about it is lost. Who has the present period back
 * has the subscription no more, at once; who disputes one payment does not agree to others.
 */
export async function takenBack(work: Work, id: string, why: 'refunded' | 'disputed'): Promise<object> {
  const back = await orderNow(work, id);
  const { state } = await subscriptionNow(work);
  if (!state || !back?.lines.every(({ revoked }) => revoked)) return {};
  if (state.status === 'incomplete') return decide(work, { type: 'AbandonSubscription', order_id: id });
  if (hasEnded(state) || (why === 'refunded' && !paysFor(work, id, state))) return {};
  const outcome = await decide(work, { type: 'CancelSubscription', at: 'now', reason: 'refunded', by: 'system' });
  if (isRejection(outcome)) throw new Error(outcome.reason);
  return outcome;
}

/** Ends an order that the subscription wants no more, if nobody has paid for it. */
async function end(work: Work, id: string, how: 'expired' | 'canceled'): Promise<object> {
  const unpaid = await orderNow(work, id);
  if (!unpaid || !isUnpaid(unpaid)) return {};
  if (how === 'canceled') await cancelOrder(work, id, 'The subscription does not want it any more');
  else await expire(work, id, unpaid);
  return {};
}

async function expire(work: Work, id: string, { payments }: Order): Promise<void> {
  await order(work, id, { type: 'ExpireOrder', now: timeNow(work), over: true });
  const last = payments.at(-1);
  if (last?.state !== 'open' || last.reference === null) return;
  const { payment_id, reference, provider } = last;
  await providerNamed(work.ports, provider).cancel({
    school: work.ordered.tenant,
    order_id: id,
    payment_id,
    reference,
  });
}

/** The subscription is over: what was due is not wanted any more. */
export async function endDue(work: Work): Promise<object> {
  const { state } = await subscriptionNow(work);
  const start = state?.period?.end;
  if (!state || !start) return {};
  const { tenant, correlation } = work.ordered;
  return end(work, renewalOrderId(tenant, correlation, start), state.status === 'lapsed' ? 'expired' : 'canceled');
}

/** A change of the plan was taken back. */
export const endChange = (work: Work, change_id: string): Promise<object> =>
  end(work, changeOrderId(work.ordered.tenant, work.ordered.correlation, change_id), 'canceled');

/** Asks the provider what became of a payment that it has not told of. */
export async function lookAgain(work: Work, id: string): Promise<object> {
  const waiting = await orderNow(work, id);
  const payment = waiting?.payments.at(-1);
  if (!waiting || isBought(waiting) || !payment || !canBePaid(payment)) return {};
  const { state: subscription } = await subscriptionNow(work);
  if (subscription) await look(work.ports, { school: work.ordered.tenant, id, subscription }, payment);
  return {};
}
