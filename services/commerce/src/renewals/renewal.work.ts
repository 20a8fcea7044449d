import { type Executed, fold } from '@lyceum/eventlog';
import { type Rejection, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Order as Ordered } from '@lyceum/service';
import type { PaymentEnd } from '../orders/order.commands.ts';
import { isGoingBack } from '../orders/deciding/order.refunds.ts';
import { type Order, type OrderState, isBought } from '../orders/order.state.ts';
import { type OrderCommand, orderDecider } from '../orders/deciding/order.ts';
import { type OrderOutcome, decideHolding, decideOrder } from '../ordering/ordering.ts';
import { type SubscriptionOutcome, decideSubscription } from '../subscribing/subscribing.ts';

import { type SubscriptionCommand, subscriptionDecider } from '../subscriptions/subscription.ts';
import type { RenewalPorts } from './subscription-order.ts';

/** A command of the process of a subscription, and with what it is carried out. */
export interface Work {
  readonly ordered: Pick<Ordered, 'tenant' | 'correlation' | 'commitId' | 'meta'>;
  readonly ports: RenewalPorts;
}

type CommandWithoutTime = SubscriptionCommand extends infer Command
  ? Command extends { readonly now: string }
    ? Omit<Command, 'now'>
    : never
  : never;

/** The subscription of the process as it is now. */
export const subscriptionNow = ({ ordered: { tenant, correlation }, ports: { log } }: Work) =>
  fold(log, subscriptionDecider, tenant, correlation);

/** An order as it is now; null = there is none. */
export const orderNow = async ({ ordered, ports }: Work, id: string): Promise<OrderState> =>
  (await fold(ports.log, orderDecider, ordered.tenant, id)).state;

/** The time of now, RFC 3339 UTC. */
export const timeNow = ({ ports: { clock } }: Work): string => isoTime(clock.now());

const commitOf = ({ ordered }: Work, ...step: readonly (string | number)[]): string =>
  uuidv5('renewals', ordered.commitId, ...step);

/** Brings a command to the subscription. The step is part of the commit id, so that a repeat is written once. */
export function decide(
  work: Work,
  command: CommandWithoutTime,
  step: string | number = '',
): Promise<SubscriptionOutcome> {
  const { tenant: school, correlation: id, meta } = work.ordered;
  const asked = { school, id, commitId: commitOf(work, command.type, step), meta };
  return decideSubscription(work.ports, asked, (now) => ({ ...command, now }));
}

/** What came of a command that nothing can be against. Throws what was. */
export function settled<Outcome extends object, Code extends string>(outcome: Outcome | Rejection<Code>): Outcome {
  if (isRejection(outcome)) throw new Error(outcome.reason);
  return outcome;
}

/** Brings a command to an order of the subscription. */
export function order(work: Work, id: string, command: OrderCommand): Promise<OrderOutcome> {
  const { tenant: school, meta } = work.ordered;
  return decideOrder(work.ports, { school, id, commitId: commitOf(work, command.type, id), meta }, () => command);
}

/** Begins another payment of an order in place of one that failed; undefined when the order takes none any more. */
export async function payAnew(
  work: Work,
  id: string,
  { end, ...payment }: { payment_id: string; provider: string; end: PaymentEnd },
): Promise<OrderState> {
  const { tenant: school, meta } = work.ordered;
  const asked = { school, id, commitId: commitOf(work, 'StartPayment', id), meta };
  const command = { type: 'StartPayment', order_id: id, ...payment, end } as const;
  const outcome = await decideHolding(work.ports, asked, (held, now) => ({ ...command, held, now }));
  return isRejection(outcome) ? null : outcome.state;
}

/** Has all of what was paid for an order go back. Says so once, however often it is asked for. */
export async function payBack(work: Work, id: string, reason: string): Promise<Executed<OrderState> | undefined> {
  const { tenant: school, meta } = work.ordered;
  const asked = { school, id, commitId: commitOf(work, 'RequestRefund', id), meta };
  const about = { order_id: id, refund_id: `refund_${uuidv5('unwanted', school, id)}`, amount: null, line_ids: [] };
  const outcome = await decideHolding(work.ports, asked, (held) => ({ type: 'RequestRefund', ...about, reason, held }));
  if (!isRejection(outcome)) return outcome;
  // It has gone back by another way.
  if ((await orderNow(work, id))?.status === 'refunded') return undefined;
  throw new Error(outcome.reason);
}

/** Cancels an order that nobody is to pay any more; what was paid meanwhile is found by its own event. */
export async function cancelOrder(work: Work, id: string, reason: string): Promise<void> {
  const { tenant: school, meta } = work.ordered;
  const asked = { school, id, commitId: commitOf(work, 'CancelOrder', id), meta };
  await decideHolding(work.ports, asked, (held) => ({ type: 'CancelOrder', order_id: id, reason, held }));
}

/** Whether nobody has paid for an order yet, and somebody can. */
export const isUnpaid = ({ status }: Order): boolean => status === 'pending' || status === 'failed';

/** Whether an order brings what it is for, or may: it is bought, or what is paid for it by now counts. */
export const isAwaited = (state: Order, now: string): boolean =>
  isBought(state) ? !isGoingBack(state) : state.status !== 'canceled' && now < state.holds_until;
