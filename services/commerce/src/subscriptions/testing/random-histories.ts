import fc from 'fast-check';
import type { Discount } from '../../billing/terms.ts';
import { duesOf } from '../subscription.schedule.ts';
import type { SubscriptionState } from '../subscription.state.ts';
import type { SubscriptionCommand } from '../subscription.ts';
import { type Happened, History, ask, lifetime, monthly, season, yearly } from './histories.ts';

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
  | { readonly what: 'resume' | 'pause' | 'suspend' | 'restore' | 'start' | 'give' | 'complete' | 'abandon' }
  /** What is due is done; a payment succeeds, fails, or is of another period. */
  | { readonly what: 'due'; readonly outcome: 'paid' | 'failed' | 'other' }
);

const hours = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1_500 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      hours,
      what: fc.constant('due' as const),
      outcome: fc.constantFrom('paid', 'paid', 'failed', 'other'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ hours, what: fc.constant('cancel' as const), when }) },
  { weight: 3, arbitrary: fc.record({ hours, what: fc.constant('change' as const), terms: plan, when }) },
  {
    weight: 1,
    arbitrary: fc.record({ hours, what: fc.constant('extend' as const), days: fc.integer({ min: 0, max: 366 }) }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      hours,
      what: fc.constantFrom('resume', 'resume', 'pause', 'suspend', 'restore', 'start', 'give', 'complete', 'abandon'),
    }),
  },
);
/** What becomes of a subscription, at random. */
export const histories = fc.record({
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
    case 'suspend':
      return ask.suspend(now, state?.paid_by ?? order);
    case 'restore':
      return ask.restore(now);
    case 'complete':
      return ask.complete(now, state?.change?.charge ?? 1, state?.change?.change_id ?? 'change_none', order);
    case 'abandon':
      return ask.abandonChange(now, state?.change?.change_id ?? 'change_none');
    case 'due':
      return dueCommand(step.outcome, state, now, order);
  }
}

/** The command by which the first thing that is due is done; undefined when nothing is. */
export function dueCommand(outcome: 'paid' | 'failed' | 'other', state: SubscriptionState, now: string, order: string) {
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
export interface Moment {
  readonly command: SubscriptionCommand;
  readonly before: SubscriptionState;
  readonly after: SubscriptionState;
  readonly events: readonly Happened[];
  readonly claimed: readonly string[];
  /** Events that the same command led to when it came again. */
  readonly repeated: number;
}

/** Brings the steps to the decider, each command twice. */
export function play({ terms, trial_days, coupon, timezone, begins, first, steps }: Given) {
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
