import { foldEmail } from '@lyceum/contracts';
import { Erased, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, reject, uuidv5 } from '@lyceum/kernel';
import { NeedsOperator, type Order as Ordered } from '@lyceum/service';
import { z } from 'zod';
import { redeemersOf } from '../coupons/uses/coupon.use.ts';
import { isGoingBack } from '../orders/deciding/order.refunds.ts';
import { type Order, isBought } from '../orders/order.state.ts';
import { type OrderCommand, orderDecider } from '../orders/deciding/order.ts';
import { type NoticePorts, decideOrder, takeNotice } from '../ordering/ordering.ts';
import { endPayments, lookAgain, readOrder } from '../reconciliation/looking.ts';
import type { PaymentNotice } from '../payments/payment-provider.ts';
import { buyerStream } from '../buyers/buyer-streams.ts';
import { type CommercePorts, providerNamed } from '../ports/commerce-ports.ts';

/** What the process of an order has done. The names are stored. */
export type Fulfilling =
  | { readonly do: 'attach' | 'expire' | 'cancel' | 'look' | 'check' | 'forget' }
  | { readonly do: 'return' | 'refund' | 'refund_failed' | 'look_at_refund'; readonly refund_id: string }
  | { readonly do: 'line'; readonly line_id: string }
  | { readonly do: 'report'; readonly event_id: string };

/** With what it is done. */
export type FulfilmentPorts = NoticePorts & Pick<CommercePorts, 'providers' | 'vault' | 'ask' | 'erase'>;

/** An order that something is done for. */
interface Work {
  readonly order: Ordered;
  readonly state: Order;
  readonly ports: FulfilmentPorts;
}

/** Carries out what follows for an order. What fails for a while is thrown; repeated, nothing is done twice. */
export async function carryOut(command: Fulfilling, order: Ordered, ports: FulfilmentPorts): Promise<object> {
  const { state } = await fold(ports.log, orderDecider, order.tenant, order.correlation);
  if (!state) return {};
  const work: Work = { order, state, ports };
  switch (command.do) {
    case 'attach':
      return attach(work);
    case 'expire':
      return expire(work);
    case 'cancel':
      return cancel(work);
    case 'look':
      return look(work);
    case 'return':
      return payBack(work, command.refund_id);
    case 'refund':
      return payBack(work, command.refund_id);
    case 'look_at_refund':
      return lookAtRefund(work, command.refund_id);
    case 'refund_failed':
      return tellOfRefund(work, command.refund_id);
    case 'line':
      return decide(work, { type: 'FulfilLine', line_id: command.line_id });
    case 'check':
      return check(work);
    case 'forget':
      return forget(work);
    case 'report':
      return report(work, command.event_id);
  }
}

/** Brings a command to the order. The step is part of the commit id, so that a repeat is written once. */
async function decide({ order, ports }: Work, command: OrderCommand): Promise<object> {
  const { tenant: school, correlation: id, commitId, meta } = order;
  const asked = { school, id, commitId: uuidv5('fulfilment', commitId, command.type), meta };
  const done = await decideOrder(ports, asked, () => command);
  if (isRejection(done)) throw new NeedsOperator(done.reason);
  return done;
}

const matched = z.union([z.object({ member: z.string() }), z.object({ refused: z.string() })]);

/** Has the school service say which member a guest is; whoever is none is invited. */
async function attach(work: Work): Promise<object> {
  const { state, order, ports } = work;
  const { member_id, email, name } = state.buyer;
  // Erased meanwhile: nobody is left to have it.
  if (member_id !== null || email === undefined || email === null) return {};
  // A school service of a release that knows no buyers asks for who invites.
  const asked = { school: order.tenant, email, by: 'system', commit: await wishOf(work, email) };
  const answer = matched.parse(
    await ports.ask?.('school', { kind: 'invite-student', ...asked, ...(name ? { name } : {}) }),
  );
  if ('refused' in answer) throw new Error(`the school service matches no member to the buyer: ${answer.refused}`);
  try {
    return await decide(work, {
      type: 'AttachBuyer',
      member_id: answer.member,
      ...(await countsOf(work, answer.member)),
    });
  } catch (error) {
    if (error instanceof Erased) return {};
    throw error;
  }
}

/**
 * The name of the wish to have somebody invited: once for each order that was paid for, and where nothing was paid once a day
 * for each address, so that nobody has mails sent to others by ordering what is free again and again.
 */
async function wishOf({ order, state, ports }: Work, email: string): Promise<string> {
  if (state.total > 0) return uuidv5('buyer', order.correlation);
  const day = isoTime(ports.clock.now()).slice(0, 10);
  return uuidv5(
    'free-buyer',
    await buyerStream(ports.vault, order.tenant, 'checkouts', ['email', foldEmail(email)]),
    day,
  );
}

/** The stream that counts how often a member has used the coupon of the order; nothing without a coupon. */
async function countsOf({ order, state, ports }: Work, member_id: string) {
  if (!state.coupon) return {};
  const [stream] = await redeemersOf(ports.vault, order.tenant, state.coupon.coupon_id, { member_id });
  return stream === undefined ? {} : { counts: { order_id: order.correlation, stream } };
}

/** Nobody paid: the address and the name that a guest gave are needed no more. The order stays, with number and amounts. */
async function forget({ order, state, ports }: Work): Promise<object> {
  const { id, member_id } = state.buyer;
  if (member_id !== null || isBought(state)) return {};
  if (state.refunds.some((each) => each.state === 'returning'))
    throw new NeedsOperator('a payment that came too late has not gone back: the address of its buyer is kept');
  if (!ports.erase) throw new Error('nobody is erased here yet');
  await ports.erase(order.tenant, id, { actor: 'system' });
  return {};
}

/** The time to pay is over: nobody pays any more, and what was paid until then counts. */
async function expire(work: Work): Promise<object> {
  const { ports } = work;
  await endPayments(ports, looked(work), () => decide(work, { type: 'ExpireOrder', now: isoTime(ports.clock.now()) }));
  return {};
}

/** Nobody pays for an order that was canceled: what was paid until now goes back. */
async function cancel(work: Work): Promise<object> {
  await endPayments(work.ports, looked(work), async () => undefined);
  return {};
}

const looked = ({ order, state }: Work) => ({ school: order.tenant, id: order.correlation, state });

/** So long after the time to pay providers are asked about money that was on its way then. */
const longestWay = 60 * 24 * 3_600_000;

const isOnItsWay = ({ payments }: Order): boolean => payments.some((payment) => payment.state === 'processing');

/**
 * Asks the providers what they may not have been able to tell; again tomorrow while money is on its way, also to an order
 * that is over: it goes back when it comes.
 */
async function look(work: Work): Promise<object> {
  const { ports, state, order } = work;
  if (state.status !== 'pending' && !isOnItsWay(state)) return {};
  await lookAgain(ports, looked(work));
  const now = await readOrder(ports, order.tenant, order.correlation);
  const isLate = ports.clock.now() > Date.parse(state.expires_at) + longestWay;
  return now && isOnItsWay(now.state) && !isLate ? reject(onItsWay, 'The money is on its way') : {};
}

/** The code with which a look ends while money is on its way. It is stored. */
export const onItsWay = 'on_its_way';

/** A refund that is neither done nor has failed, with its payment at the provider. */
function openRefund({ order, state, ports }: Work, refund_id: string) {
  const refund = state.refunds.find((each) => each.refund_id === refund_id);
  const payment = state.payments.find(({ payment_id }) => payment_id === refund?.payment_id);
  if (!refund || !payment || (refund.state !== 'requested' && refund.state !== 'returning')) return undefined;
  const { payment_id, reference } = payment;
  if (reference === null) throw new NeedsOperator('a payment was made that its provider never opened');
  const about = { school: order.tenant, order_id: order.correlation, payment_id, reference };
  return { refund, about, provider: providerNamed(ports, payment.provider) };
}

/** A refund takes long: the provider is asked what became of it, and the operator is told when that is nothing. */
async function lookAtRefund(work: Work, refund_id: string): Promise<object> {
  const back = openRefund(work, refund_id);
  if (!back) return {};
  const { about, provider } = back;
  for (const notice of await provider.look(about)) await takeNotice(work.ports, provider.name, notice);
  const { order, ports } = work;
  const { state } = await fold(ports.log, orderDecider, order.tenant, order.correlation);
  const refund = state && openRefund({ ...work, state }, refund_id)?.refund;
  if (!refund) return {};
  const { amount } = refund;
  throw new NeedsOperator(`the refund ${refund_id} of ${amount} ${work.state.currency} has not gone back for days`);
}

/** Tells the operator, once, that money did not go back, and who is without what was bought all the same. */
async function tellOfRefund({ state, order }: Work, refund_id: string): Promise<object> {
  const refund = state.refunds.find((each) => each.refund_id === refund_id);
  if (refund?.state !== 'failed' || order.resumed) return {};
  const { amount, failure = '', line_ids } = refund;
  const without = state.lines.filter(({ line_id, revoked }) => revoked && line_ids.includes(line_id));
  const taken = without.map(({ line_id }) => line_id).join(', ');
  const words = `the refund ${refund_id} of ${amount} ${state.currency} did not go back: ${failure}`;
  throw new NeedsOperator(taken === '' ? words : `${words}. Taken back, and not given again: ${taken}`);
}

/** Has the provider pay back what was refunded, or what came too late. */
async function payBack(work: Work, refund_id: string): Promise<object> {
  const { state, ports } = work;
  const back = openRefund(work, refund_id);
  if (!back) return {};
  const { refund, about, provider } = back;
  const { amount, reason } = refund;
  const { currency } = state;
  const outcome = await provider.refund({ ...about, refund_id, amount, currency, reason });
  switch (outcome.state) {
    case 'pending':
      return {};
    case 'failed':
      if (refund.state === 'returning') throw new NeedsOperator(`a late payment does not go back: ${outcome.reason}`);
      return decide(work, { type: 'FailRefund', refund_id, reason: outcome.reason });
    case 'done': {
      if (refund.state === 'returning') return decide(work, { type: 'RecordReturn', refund_id });
      const { event_id, at } = outcome;
      const notice: PaymentNotice = { ...about, event_id, kind: 'refunded', amount, currency, at, refund_id };
      return takeNotice(ports, provider.name, notice);
    }
  }
}

/** Tells the operator, by being stuck, that a member waits for what was bought. */
async function check({ state }: Work): Promise<object> {
  const waiting = state.lines.filter(({ fulfilled, revoked, suspended }) => !fulfilled && !revoked && !suspended);
  // What was paid goes back: nobody waits.
  if (waiting.length === 0 || !state.fulfillable || isGoingBack(state)) return {};
  const ids = waiting.map(({ line_id }) => line_id).join(', ');
  const missing = state.subscription_id === null ? 'the learning service has given no access' : 'no subscription began';
  throw new NeedsOperator(`${missing} for ${ids}`);
}

/** Tells the operator, by being stuck, what a provider said that did not fit the order, until it is dismissed. */
async function report({ state }: Work, event_id: string): Promise<object> {
  const refused = state.refused.find((each) => each.event_id === event_id);
  if (!refused || refused.dismissed) return {};
  const { kind, amount, currency, payment_id, reason } = refused;
  throw new NeedsOperator(`refused: ${kind} of ${amount} ${currency} for ${payment_id} (${event_id}). ${reason}`);
}
