import { isRejection, reject } from '@lyceum/kernel';
import { afterDays } from '../billing/period.ts';
import { paymentId } from '../orders/order.ids.ts';
import { type Order, isBought } from '../orders/order.state.ts';
import { closureOf } from '../schools/known-schools.ts';
import { type Due, type Renewal, duesOf, renewalOf } from '../subscriptions/subscription.schedule.ts';
import type { Subscription } from '../subscriptions/subscription.state.ts';
import { agreementFor, charge } from './charging.ts';
import { changeOrderId, renewalOrderId } from './renewal.ids.ts';
import {
  type Work,
  cancelOrder,
  decide,
  isAwaited,
  isUnpaid,
  orderNow,
  payAnew,
  settled,
  subscriptionNow,
  timeNow,
} from './renewal.work.ts';
import { placeSubscriptionOrder } from './subscription-order.ts';

/** How long the order of a period can be paid, in days: longer than the time of grace, which may begin later. */
const daysToPay = 30;

/** The order of the period that comes next. */
export const orderOfNext = ({ ordered }: Work, { period_start }: Pick<Renewal, 'period_start'>): string =>
  renewalOrderId(ordered.tenant, ordered.correlation, period_start);

const isDue =
  (now: string) =>
  ({ at }: Due): boolean =>
    at <= now;

/** The order that waits to be paid: of what is due, of a subscription that has not begun, or of a change at once. */
function awaitedOrder(
  { ordered }: Work,
  { status, order_id, dunning, change }: Subscription,
  now: string,
): string | null {
  if (status === 'incomplete') return order_id;
  if (dunning) return dunning.order_id;
  const isOver = change !== null && change.until !== null && change.until <= now;
  return isOver ? changeOrderId(ordered.tenant, ordered.correlation, change.change_id) : null;
}

const isOnItsWay = ({ payments }: Order): boolean => payments.some(({ state }) => state === 'processing');

/**
 * Whether it is not over yet: its order is paid, or may be, as while money is on its way for days. Who did not pay in time
 * has had the time of grace for that: only what is paid, or on its way, is waited for then.
 */
async function isWaiting(work: Work, state: Subscription, now: string): Promise<boolean> {
  const id = awaitedOrder(work, state, now);
  const order = id === null ? null : await orderNow(work, id);
  if (order === null || !isAwaited(order, now)) return false;
  return !state.dunning || isBought(order) || isOnItsWay(order);
}

/**
 * Does all that is due of a subscription by now: what needs no payment happens, then the period of now is collected.
 * Periods that are over already, because nothing ran or the provider was away, are passed over: nobody is charged for
 * several at once. Throws while the provider gives no answer: nothing has failed then. Rejected at a school that is not
 * open: who cannot come in pays for nothing, and nothing lapses meanwhile.
 */
export async function doWhatIsDue(work: Work): Promise<object> {
  const closure = await closureOf(work.ports, work.ordered.tenant);
  if (closure) return reject(`school_${closure}`, 'The school is not open');
  for (;;) {
    const { state, version } = await subscriptionNow(work);
    const now = timeNow(work);
    const dues = state ? duesOf(state).filter(isDue(now)) : [];
    if (!state || dues.length === 0 || (await isWaiting(work, state, now))) return {};
    if (dues.some(({ renewal }) => !renewal)) {
      if (settled(await decide(work, { type: 'PassTime' }, version)).events.length === 0) return {};
      continue;
    }
    const renewal = dues[0]?.renewal;
    if (!renewal) return {};
    const isOver = renewal.period_end !== null && renewal.period_end <= now;
    if (!isOver || state.dunning) return collect(work, state, renewal);
    await pass(work, renewal, version);
  }
}

/** Passes over a period that is over. Who pays for it all the same has it back. */
async function pass(work: Work, renewal: Renewal, version: number): Promise<void> {
  const id = orderOfNext(work, renewal);
  const before = await orderNow(work, id);
  if (before && isUnpaid(before)) await cancelOrder(work, id, 'The period is over');
  settled(await decide(work, { type: 'PassPeriods' }, version));
}

/** Has the next period paid for. */
async function collect(work: Work, state: Subscription, renewal: Renewal): Promise<object> {
  const id = orderOfNext(work, renewal);
  const order = (await orderNow(work, id)) ?? (await place(work, id, renewal));
  // Paid: its own event goes on with it.
  if (!order || isBought(order)) return {};
  const failed = untold(order, state);
  if (failed.length > 0) {
    for (const payment_id of failed) await fail(work, { id, payment_id, renewal });
    return {};
  }
  const ready = order.status === 'failed' ? await again(work, id, { order, state }) : order;
  if (ready) await charge(work.ports, { school: work.ordered.tenant, id, order: ready, subscription: state });
  return {};
}

/**
 * Payments of an order that will not be paid, as far as the subscription does not know: those that failed, and the one
 * that nobody can be charged by, or that nobody takes any more, which the person has to see to.
 */
function untold(order: Order, state: Subscription): readonly string[] {
  const last = order.payments.at(-1);
  const isPersons = last !== undefined && (!isUnpaid(order) || agreementFor(state, last) === null);
  return order.payments
    .filter((payment) => payment.state === 'failed' || (isPersons && payment === last))
    .map(({ payment_id }) => payment_id)
    .filter((payment_id) => !state.dunning?.payments.includes(payment_id));
}

const fail = (work: Work, { id, payment_id, renewal }: { id: string; payment_id: string; renewal: Renewal }) =>
  decide(work, { type: 'FailRenewal', order_id: id, payment_id, period_start: renewal.period_start }, payment_id);

/** Another payment in place of those that failed, where it can be charged. */
async function again(
  work: Work,
  id: string,
  { order, state }: { order: Order; state: Subscription },
): Promise<Order | null> {
  const last = order.payments.at(-1);
  if (!last || agreementFor(state, last) === null) return null;
  const payment_id = paymentId(id, order.payments.length + 1);
  const { expires_at, holds_until } = order;
  return payAnew(work, id, { payment_id, provider: last.provider, end: { expires_at, holds_until } });
}

const place = (work: Work, id: string, { period_start }: Renewal): Promise<Order | undefined> =>
  placeSubscriptionOrder(work.ports, {
    school: work.ordered.tenant,
    subscription: work.ordered.correlation,
    id,
    wanted(state, now) {
      const next = renewalOf(state);
      // Canceled, or moved, meanwhile.
      if (next?.period_start !== period_start || next.total === 0) return undefined;
      const { terms, total } = next;
      const later = (days: number) => afterDays(now, days, state.timezone);
      return { source: 'renewal', terms, total, expires_at: later(daysToPay), holds_until: later(daysToPay + 1) };
    },
  });

/** Takes in that a payment of an order failed, where the order is the one of the next period. */
export async function renewalFailed(work: Work, id: string, payment_id: string): Promise<object> {
  const { state } = await subscriptionNow(work);
  const renewal = state && renewalOf(state);
  if (!renewal || orderOfNext(work, renewal) !== id) return {};
  const outcome = await fail(work, { id, payment_id, renewal });
  // It was known, and was waited for all the same.
  return isRejection(outcome) || outcome.events.length === 0 ? doWhatIsDue(work) : outcome;
}
