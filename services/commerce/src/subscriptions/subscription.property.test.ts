import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Discount } from '../billing/terms.ts';
import { duesOf } from './subscription.schedule.ts';
import { type SubscriptionState, givesAccess, hasEnded } from './subscription.state.ts';
import { evolve } from './subscription.folding.ts';
import { subscriptionEvents as allTypes } from './subscription.events.ts';
import type { SubscriptionCommand } from './subscription.ts';
import { type Happened, History, ask, lifetime, monthly, season, yearly } from './testing/histories.ts';

const plans = [
  monthly,
  yearly,
  season,
  lifetime,
  { ...monthly, plan_version: 2, price: { amount: 77, currency: 'USD' } },
];
const plan = fc.constantFrom(...plans);
const when = fc.constantFrom('now' as const, 'period_end' as const);
const coupons = fc.constantFrom<Discount | null>(
  null,
  { coupon_id: 'coupon_1', kind: 'percent', value: 33, remaining_cycles: 2 },
  { coupon_id: 'coupon_2', kind: 'amount', value: 5_000, remaining_cycles: null },
);

/** What happens next, so many hours later. */
type Step = { readonly hours: number } & (
  | { readonly what: 'cancel'; readonly when: 'now' | 'period_end' }
  | { readonly what: 'change'; readonly terms: (typeof plans)[number]; readonly when: 'now' | 'period_end' }
  | { readonly what: 'extend'; readonly days: number }
  | { readonly what: 'resume' | 'pause' | 'start' | 'give' | 'complete' | 'abandon' }
  /** What is due is done; a payment succeeds, fails, or is of another period. */
  | { readonly what: 'due'; readonly outcome: 'paid' | 'failed' | 'other' }
);

const hours = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1_500 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      hours,
      what: fc.constant('due' as const),
      outcome: fc.constantFrom('paid', 'paid', 'failed', 'other'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ hours, what: fc.constant('cancel' as const), when }) },
  { weight: 3, arbitrary: fc.record({ hours, what: fc.constant('change' as const), terms: plan, when }) },
  {
    weight: 1,
    arbitrary: fc.record({ hours, what: fc.constant('extend' as const), days: fc.integer({ min: 0, max: 366 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ hours, what: fc.constantFrom('resume', 'pause', 'start', 'give', 'complete', 'abandon') }),
  },
);
const histories = fc.record({
  terms: plan,
  trial_days: fc.constantFrom(0, 0, 14),
  coupon: coupons,
  timezone: fc.constantFrom('UTC', 'Europe/Lisbon', 'Pacific/Auckland'),
  begins: fc.constantFrom('give', 'place', 'start', 'start', 'start', 'start', 'start', 'start'),
  first: fc.integer({ min: 0, max: 366 }),
  steps: fc.array(step, { maxLength: 12, size: 'max' }),
});
type Given = typeof histories extends fc.Arbitrary<infer T> ? T : never;

/** The command of a step; undefined when there is nothing to do. */
function commandOf(step: Step, { state }: History, now: string, number: number): SubscriptionCommand | undefined {
  const order = `order_of_${number}`;
  switch (step.what) {
    case 'cancel':
      return ask.cancel(now, step.when);
    case 'change':
      return ask.change(now, step.terms, step.when, `change_${number}`);
    case 'extend':
      return ask.extend(now, step.days);
    case 'start':
      return ask.start(now);
    case 'give':
      return ask.give(now);
    case 'resume':
      return ask.resume(now);
    case 'pause':
      return ask.pause(now);
    case 'complete':
      return ask.complete(now, state?.change?.charge ?? 1, state?.change?.change_id ?? 'change_none', order);
    case 'abandon':
      return ask.abandonChange(now, state?.change?.change_id ?? 'change_none');
    case 'due':
      return dueCommand(step.outcome, state, now, order);
  }
}

function dueCommand(outcome: 'paid' | 'failed' | 'other', state: SubscriptionState, now: string, order: string) {
  const due = state && duesOf(state).find(({ at }) => at <= now);
  if (!due) return undefined;
  if (!due.renewal) return ask.pass(now);
  const { period_start, total } = due.renewal;
  if (outcome === 'other') return ask.renew(now, now, order, total);
  return outcome === 'paid'
    ? ask.renew(now, period_start, order, total)
    : ask.fail(now, period_start, order, state.dunning?.order_id ?? order);
}

/** One moment of a history. */
interface Moment {
  readonly command: SubscriptionCommand;
  readonly before: SubscriptionState;
  readonly after: SubscriptionState;
  readonly events: readonly Happened[];
  readonly claimed: readonly string[];
  /** Events that the same command led to when it came again. */
  readonly repeated: number;
}

/** Brings the steps to the decider, each command twice. */
function play({ terms, trial_days, coupon, timezone, begins, first, steps }: Given) {
  const history = new History();
  const moments: Moment[] = [];
  let time = Date.UTC(2027, 0, 1, 10) + first * 86_400_000;
  const take = (command: SubscriptionCommand): void => {
    const [before, from] = [history.state, history.log.length];
    history.do(command);
    const events = history.log.slice(from);
    const until = history.log.length;
    const after = history.state;
    const claimed = [...history.claimed];
    history.do(command);
    moments.push({ command, before, after, events, claimed, repeated: history.log.length - until });
  };
  const now = new Date(time).toISOString();
  if (begins === 'give') take({ ...ask.give(now, terms), timezone });
  else {
    take({ ...ask.place(now, terms, trial_days), coupon, timezone });
    if (begins === 'start') take(ask.start(now));
  }
  for (const [number, each] of steps.entries()) {
    time += each.hours * 3_600_000;
    const command = commandOf(each, history, new Date(time).toISOString(), number);
    if (command) take(command);
  }
  return { history, moments };
}

/** Minor units that were paid by an event, and that a period is worth which begins with it. */
function moneyOf({ event: { type, data } }: Happened): {
  readonly paid: number;
  readonly worth: number;
  readonly credit: number;
} {
  if (type === 'SubscriptionStarted') return { paid: data.value, worth: data.value, credit: 0 };
  if (type === 'SubscriptionRenewed') return { paid: data.total, worth: data.total + data.balance_used, credit: 0 };
  if (type === 'SubscriptionPlanChanged' && data.begins)
    return { paid: data.charge, worth: data.value, credit: data.credit };
  return { paid: 0, worth: 0, credit: 0 };
}

/** The plans that a subscription must hold for its member. */
const held = (state: SubscriptionState): readonly string[] => {
  if (!state || state.status === 'incomplete' || hasEnded(state)) return [];
  const plansOf = [state.terms.plan_id, ...(state.change ? [state.change.terms.plan_id] : [])];
  return [...new Set(plansOf)].map((id) => `account_1/${id}`);
};

/** Free periods may be behind by more than one, and days may be given again; all else is done once. */
const mayRepeat = ({ command }: Moment): boolean =>
  command.type === 'PassTime' || command.type === 'ExtendSubscription';

/** What must hold at every moment. Plain comparisons: an `expect` for each would take minutes. */
function holds(moment: Moment): boolean {
  const { before, after, events, claimed, repeated } = moment;
  if (!after) return events.length === 0;
  const { status, period, balance, value, dunning, cancel, change } = after;
  const isOver = hasEnded(after);
  const renewals = events.flatMap(({ event }) => (event.type === 'SubscriptionRenewed' ? [event.data] : []));
  return (
    // What is over stays so.
    (!before || !hasEnded(before) || events.length === 0) &&
    givesAccess(after) === (status === 'trialing' || status === 'active' || status === 'past_due') &&
    isOver === (after.ended_at !== null) &&
    (dunning !== null) === (status === 'past_due') &&
    (!isOver || (cancel === null && change === null)) &&
    // Periods run forwards and follow each other without a gap, and no amount is below nothing.
    (period === null || period.end === null || period.start < period.end) &&
    renewals.every(({ period_start, total }) => period_start === before?.period?.end && total >= 0) &&
    balance >= 0 &&
    value >= 0 &&
    // The plans that it holds are those that it has or waits for, and saying it again changes nothing.
    claimed.toSorted().join(' ') === held(after).toSorted().join(' ') &&
    (repeated === 0 || mayRepeat(moment))
  );
}

/** Whether folding from a state that was kept leads to the same as folding all. */
function isFoldedFrom({ log, state }: History, cut: number): boolean {
  const fold = (from: SubscriptionState, some: readonly Happened[], version: number) =>
    some.reduce<SubscriptionState>(
      (before, { event, at }, index) => evolve(before, event, { at, version: version + index + 1 }),
      from,
    );
  const at = cut % (log.length + 1);
  const kept: SubscriptionState = JSON.parse(JSON.stringify(fold(null, log.slice(0, at), 0)));
  return JSON.stringify(fold(kept, log.slice(at), at)) === JSON.stringify(state);
}

describe('histories of a subscription', () => {
  test('10,000: access, periods, claims, money and what is folded agree at every moment', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(histories, (given) => {
        const { history, moments } = play(given);
        for (const { event } of history.log) seen.set(event.type, (seen.get(event.type) ?? 0) + 1);
        const money = history.log.map(moneyOf);
        const sum = (of: keyof (typeof money)[number]): number => money.reduce((all, each) => all + each[of], 0);
        // What was paid is what the periods were worth, less what was set off, which is what was credited and is not left.
        return (
          moments.every(holds) &&
          sum('paid') === sum('worth') - sum('credit') + (history.state?.balance ?? 0) &&
          isFoldedFrom(history, given.first)
        );
      }),
      { numRuns: 10_000 },
    );
    // The histories are worth something: everything happens in them, often.
    const least = Math.min(...Object.keys(allTypes).map((type) => seen.get(type) ?? 0));
    expect([least > 30, seen.size]).toEqual([true, Object.keys(allTypes).length]);
  }, 60_000);

  test('500: what is due is over when it is done, so that a subscription never stands still', () => {
    fc.assert(
      fc.property(histories, (given) => {
        const { history } = play(given);
        // Everybody pays, or nobody does: either way it comes to an end, or goes on and on.
        for (let turn = 0; turn < 30; turn += 1) {
          const due = history.state && duesOf(history.state)[0];
          if (!due) return true;
          const before = history.log.length;
          const command = dueCommand(
            given.first % 2 === 0 ? 'paid' : 'failed',
            history.state,
            due.at,
            `renewal_${turn}`,
          );
          if (command) history.do(command);
          if (history.log.length === before) return false;
        }
        return (
          given.first % 2 === 0 ||
          history.state?.terms.price.amount === 0 ||
          history.state?.coupon !== null ||
          history.state.balance > 0
        );
      }),
      { numRuns: 500 },
    );
  }, 60_000);
});
