import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { duesOf } from './subscription.schedule.ts';
import { type SubscriptionState, givesAccess, hasEnded } from './subscription.state.ts';
import { evolve } from './subscription.folding.ts';
import { subscriptionEvents as allTypes } from './subscription.events.ts';
import type { Happened, History } from './testing/histories.ts';
import { type Moment, dueCommand, histories, play } from './testing/random-histories.ts';

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

/**
 * Free periods may be behind by more than one, days may be given again, and what rested goes on first, and does not end after
 * all when that is asked for again; all else is done once.
 */
const mayRepeat = ({ command, before }: Moment): boolean =>
  command.type === 'PassTime' ||
  command.type === 'ExtendSubscription' ||
  (command.type === 'ResumeSubscription' && before?.status === 'paused' && before.cancel !== null);

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
