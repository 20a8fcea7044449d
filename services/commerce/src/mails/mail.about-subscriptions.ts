import { fold } from '@lyceum/eventlog';
import { type Addressed, dayIn } from '@lyceum/service';
import { totalsOf } from '../money/totals.ts';
import type { Order } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { planDecider } from '../plans/plan.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { closureOf, knownSchool } from '../schools/known-schools.ts';
import { type Renewal, renewalOf } from '../subscriptions/subscription.schedule.ts';
import type { Subscription } from '../subscriptions/subscription.state.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';
import { orderPage } from './mail.about-orders.ts';
import type { MailDelivery } from '../mail-deliveries/mail.events.ts';
import { reminderAt } from './mail.reminders.ts';
import { moneyIn } from './mail.values.ts';
import type { Filling, WantedMail, Writing } from './mail.wanted.ts';
import type { MailName } from './texts/mail-text.ts';

type Reading = Pick<CommercePorts, 'log' | 'documents' | 'providers'>;

/** A subscription that somebody is written to about. */
interface Subscribed {
  readonly subscription: Subscription;
  /** What the plan is called now. */
  readonly plan: string;
}

/** What a subscriber is written to about now; undefined when it has become pointless. */
export async function mailAboutSubscription(
  ports: Reading,
  school: string,
  { what, about, part }: MailDelivery,
): Promise<WantedMail | undefined> {
  const { state: subscription } = await fold(ports.log, subscriptionDecider, school, about);
  const fill = subscription && (await fillingOf(ports, school, what, part, subscription));
  if (!subscription || !fill) return undefined;
  const { state: plan } = await fold(ports.log, planDecider, school, subscription.terms.plan_id);
  const addressed = await addressedOf(ports, school, subscription);
  return { addressed, fill: (writing) => fill({ subscription, plan: plan?.name ?? '' }, writing) };
}

/** A guest who bought it is written to where they said, as is a member in the language that they bought in. */
async function addressedOf({ log }: Reading, school: string, subscription: Subscription): Promise<Addressed> {
  const { member_id, order_id } = subscription;
  const { state: order } = order_id === null ? { state: null } : await fold(log, orderDecider, school, order_id);
  return { member_id, ...(order ? { email: order.buyer.email, language: order.buyer.language } : {}) };
}

type Fill = (about: Subscribed, writing: Writing) => Filling;

async function fillingOf(
  ports: Reading,
  school: string,
  what: MailDelivery['what'],
  part: string | undefined,
  subscription: Subscription,
): Promise<Fill | undefined> {
  switch (what) {
    case 'past_due':
      return pastDue(ports, school, part, subscription);
    case 'renewal':
      return renewal(ports, school, part, subscription);
    case 'ended':
      return ended(subscription);
    default:
      return undefined;
  }
}

const day = ({ language }: Writing, { timezone }: Subscription, at: string): string => dayIn(language, timezone, at);

/** What a payment is written about with: one that nobody tried is due, as nobody can be charged without the person. */
const nameOfPastDue = (payments: Order['payments'], payment: string | undefined, next: string | null): MailName => {
  if (payments.find(({ payment_id }) => payment_id === payment)?.state !== 'failed') return 'paymentDue';
  return next === null ? 'pastDueLast' : 'pastDue';
};

/** A payment is due, and the newest try was the one that is named. */
async function pastDue(
  { log }: Reading,
  school: string,
  payment: string | undefined,
  { status, dunning }: Subscription,
): Promise<Fill | undefined> {
  if (status !== 'past_due' || !dunning || dunning.payments.at(-1) !== payment) return undefined;
  const { order_id, grace_until, next_attempt_at } = dunning;
  const { state: order } = await fold(log, orderDecider, school, order_id);
  if (!order) return undefined;
  const { total: amount, currency, payments } = order;
  const name = nameOfPastDue(payments, payment, next_attempt_at);
  return ({ subscription, plan }, writing) => ({
    name,
    slots: {
      plan,
      amount: moneyIn(writing.language, { amount, currency }),
      date: next_attempt_at === null ? '' : day(writing, subscription, next_attempt_at),
      until: day(writing, subscription, grace_until),
    },
    link: orderPage(writing.seller.base_url, order_id),
  });
}

/** Whether the next payment is charged without the person; otherwise they have to pay it. */
const isCharged = ({ providers }: Reading, { provider, agreement }: Subscription): boolean =>
  agreement !== null && [...providers.keys()].some((name) => name === provider);

const nameOfReminder = (status: 'trialing' | 'active', charged: boolean): MailName => {
  if (status === 'trialing') return charged ? 'trial' : 'trialDue';
  return charged ? 'renewal' : 'renewalDue';
};

/** A payment comes at the end of the period that is named. Nobody is reminded of what costs nothing. */
async function renewal(
  ports: Reading,
  school: string,
  end: string | undefined,
  subscription: Subscription,
): Promise<Fill | undefined> {
  const { status, period } = subscription;
  if (!period || period.end !== end || (status !== 'trialing' && status !== 'active')) return undefined;
  if ((await closureOf(ports, school)) === 'closed') return undefined;
  const next = renewalOf(subscription);
  const isExpected = end !== undefined && reminderAt(period.start, end, status === 'trialing') !== undefined;
  if (!next || next.total === 0 || !isExpected) return undefined;
  const amount = await chargeOf(ports, school, next);
  const name = nameOfReminder(status, isCharged(ports, subscription));
  return ({ plan }, writing) => ({
    name,
    slots: {
      plan,
      amount: moneyIn(writing.language, amount),
      date: day(writing, subscription, next.period_start),
    },
    link: `${writing.seller.base_url}/oauth/account`,
  });
}

/** What a renewal is charged, with the tax of now where prices are told without it. */
async function chargeOf(ports: Reading, school: string, { total: unit_price, price: { currency } }: Renewal) {
  const { tax } = await knownSchool(ports, school);
  return { amount: totalsOf([{ quantity: 1, unit_price }], null, tax).total, currency };
}

function ended({ status, ended_at }: Subscription): Fill | undefined {
  if (ended_at === null || (status !== 'lapsed' && status !== 'canceled')) return undefined;
  return ({ subscription, plan }, writing) => ({
    name: status,
    slots: { plan, date: day(writing, subscription, ended_at) },
    link: writing.seller.base_url,
  });
}
