import type { FactOf } from '@lyceum/contracts';
import { type Collection, eventGuard } from '@lyceum/documents';
import { halfUp } from '@lyceum/kernel';
import { type Day, type Month, monthOf } from '../calendar/calendar.ts';
import type { Changes, Editing } from '../figures/changes.ts';
import { type Figures, added } from '../figures/figures.ts';
import { figuresOver } from '../figures/figures-over.ts';
import { type Series, addTo } from '../figures/series.ts';

/** What became of subscriptions on each day, and of each that goes on what it counts for. No person is in it. */
export const subscribers: Collection = { name: 'subscribers', version: 1, fields: {} };

/** The days of all subscriptions of a school. */
export const subscriptionsSeries: Series = { name: 'subscriptions', scope: '' };

/** The id of the document that says in which month the first figures are. */
export const beginningId = 'beginning';

/** Since when there are figures. */
export interface BeginningRow {
  readonly month: Month;
}

/** A subscription that is renewed and paid for. A failed payment changes nothing until it lapses. */
interface SubscriberRow {
  readonly currency: string;
  /** Months of a period. */
  readonly months: number;
  /** What is paid for a period, minor units. */
  readonly amount: number;
  readonly state: 'trialing' | 'active' | 'paused';
}

type SubscriberFact = Extract<
  FactOf<'commerce'>,
  {
    type:
      | 'SubscriptionStarted'
      | 'SubscriptionRenewed'
      | 'SubscriptionPlanChanged'
      | 'SubscriptionPaused'
      | 'SubscriptionResumed'
      | 'SubscriptionCanceled'
      | 'SubscriptionLapsed';
  }
>;

type Recurring = Extract<SubscriberFact, { type: 'SubscriptionStarted' }>['data']['recurring'];

const isSubscriberFact = eventGuard<SubscriberFact>(
  'SubscriptionStarted',
  'SubscriptionRenewed',
  'SubscriptionPlanChanged',
  'SubscriptionPaused',
  'SubscriptionResumed',
  'SubscriptionCanceled',
  'SubscriptionLapsed',
);

/** What a subscription counts for: its price is that of a month, rounded half up for each. */
function counted(row: SubscriberRow | null): Figures {
  if (row?.state === 'trialing') return { trialing: 1 };
  if (row?.state !== 'active') return {};
  return { active: 1, mrr: halfUp(BigInt(row.amount), BigInt(row.months)) };
}

const negative = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, 0 - Number(value)]));

const paying = (recurring: Recurring, state: SubscriberRow['state']): SubscriberRow | null => {
  if (!recurring) return null;
  const { amount, currency, interval, interval_count } = recurring;
  return { amount, currency, months: interval === 'year' ? 12 * interval_count : interval_count, state };
};

/** The subscription after a fact; null where there is none that counts, or none any more. */
function after(fact: SubscriberFact, row: SubscriberRow | undefined): SubscriberRow | null {
  switch (fact.type) {
    case 'SubscriptionStarted':
      return paying(fact.data.recurring, fact.data.trial_end === null ? 'active' : 'trialing');
    case 'SubscriptionRenewed':
      return row ? { ...row, amount: fact.data.due ?? row.amount, state: 'active' } : null;
    case 'SubscriptionPlanChanged':
      return paying(fact.data.recurring, fact.data.order_id === null ? (row?.state ?? 'active') : 'active');
    case 'SubscriptionPaused':
      return row ? { ...row, state: 'paused' } : null;
    case 'SubscriptionResumed':
      return row ? { ...row, state: 'active' } : null;
    case 'SubscriptionCanceled':
    case 'SubscriptionLapsed':
      return null;
  }
}

/** What happened to a subscription beside what it counts for. A trial that ends without a payment is no loss. */
function happened(type: SubscriberFact['type'], before: SubscriberRow | undefined): Figures {
  if (type === 'SubscriptionStarted') return before ? {} : { started: 1 };
  if (!before || before.state === 'trialing') return {};
  if (type === 'SubscriptionCanceled') return { canceled: 1 };
  return type === 'SubscriptionLapsed' ? { lapsed: 1 } : {};
}

function* applied(changes: Changes, fact: SubscriberFact, day: Day): Editing {
  const id = `subscription:${fact.data.subscription_id}`;
  const before = yield* changes.read<SubscriberRow>(id);
  const now = after(fact, before);
  if (!before && !now) return;
  changes.write(id, now);
  yield* changes.edit<BeginningRow>(beginningId, (row) => ({ month: Math.min(row?.month ?? Infinity, monthOf(day)) }));
  const own = happened(fact.type, before);
  // A plan in another currency is counted out of one, and into the other.
  const parts: readonly (readonly [string | undefined, Figures])[] = [
    [before?.currency, negative(counted(before ?? null))],
    [now?.currency, counted(now)],
    [before?.currency ?? now?.currency, own],
  ];
  let figures: Figures = {};
  for (const [currency, part] of parts) if (currency !== undefined) figures = added(figures, { [currency]: part });
  yield* addTo(changes, subscriptionsSeries, [[day, figures]]);
}

/** Keeps the figures of subscriptions. */
export const subscriberFigures = figuresOver('commerce', subscribers, (changes, fact, day) =>
  isSubscriberFact(fact) ? applied(changes, fact, day) : undefined,
);
