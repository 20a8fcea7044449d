import { describe, expect, test } from '@jest/globals';
import { type DomainEvent, isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import type { PlanEvent } from '../plans/plan.events.ts';
import type { Plan, PlanState } from '../plans/plan.state.ts';
import { planDecider } from '../plans/plan.ts';
import { hasEnded } from '../subscriptions/subscription.state.ts';
import { type History, after, ask, day, monthly, yearly } from '../subscriptions/testing/histories.ts';
import { histories, play } from '../subscriptions/testing/random-histories.ts';
import { eventsOfSeats, seatChanges } from './subscribing.seats.ts';

/** The subscribers of each plan after a history: the plan, and how many. */
function counted({ log }: History): Record<string, number> {
  const counts: Record<string, number> = {};
  const events = log.map(({ event }) => event);
  for (const { plan_id, joins } of seatChanges(null, events, day(1)))
    counts[plan_id] = (counts[plan_id] ?? 0) + (joins ? 1 : -1);
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

const version2 = { ...monthly, plan_version: 2 };

describe('the subscribers of plans', () => {
  test.each([
    ['count who has asked and may still pay', [ask.place(day(1))], { plan_monthly: 1 }],
    ['count once who has paid', [ask.place(day(1)), ask.start(day(1))], { plan_monthly: 1 }],
    ['count whom the staff gave it', [ask.give(day(1))], { plan_monthly: 1 }],
    ['do not count who did not pay', [ask.place(day(1)), ask.pass(day(3))], {}],
    ['do not count who has canceled', [ask.give(day(1)), ask.cancel(day(2), 'now')], {}],
    ['count who will have canceled', [ask.give(day(1)), ask.cancel(day(2), 'period_end')], { plan_monthly: 1 }],
    ['count who rests', [ask.give(day(1)), ask.pause(day(2))], { plan_monthly: 1 }],
    [
      'count who waits for another plan in both',
      [ask.place(day(1)), ask.start(day(1)), ask.change(day(2), yearly, 'period_end')],
      { plan_monthly: 1, plan_yearly: 1 },
    ],
    [
      'count who has the other plan in that only',
      [ask.place(day(1)), ask.start(day(1)), ask.change(day(2), yearly), ask.complete(day(2), 27_000)],
      { plan_yearly: 1 },
    ],
    [
      'count who wants another version of the plan once',
      [ask.place(day(1)), ask.start(day(1)), ask.change(day(2), version2, 'period_end')],
      { plan_monthly: 1 },
    ],
  ])('%s', (_, commands, expected) => {
    expect(counted(after(...commands))).toEqual(expected);
  });

  test('10,000 histories: are those that hold a place in it, each once, at every moment', () => {
    let joined = 0;
    fc.assert(
      fc.property(histories, (given) => {
        const { history } = play(given);
        const { state } = history;
        const isHeld = state !== null && !hasEnded(state);
        const held = isHeld ? [state.terms.plan_id, ...(state.change ? [state.change.terms.plan_id] : [])] : [];
        const counts = counted(history);
        joined += held.length;
        return (
          Object.keys(counts).toSorted().join(' ') === [...new Set(held)].toSorted().join(' ') &&
          Object.values(counts).every((count) => count === 1)
        );
      }),
      { numRuns: 10_000 },
    );
    expect(joined).toBeGreaterThan(1_000);
  }, 60_000);
});

describe('what a plan says of its subscribers', () => {
  const grants = { courses: 'all', digital_products: [], posts: false, event_discount_percent: 0 } as const;
  const fields = {
    name: 'Monthly',
    summary: null,
    description: null,
    benefits: [],
    position: 0,
    trial_days: 0,
    visible: true,
    max_subscribers: 1,
  };
  const terms = { kind: 'recurring', interval: 'month', interval_count: 1, amount: 3_100, currency: 'USD' } as const;
  const plan = (...events: readonly PlanEvent[]): PlanState =>
    events.reduce<PlanState>((state, event) => planDecider.evolve(state, event, { at: day(1), version: 1 }), null);
  const sold = plan(
    { type: 'PlanCreated', data: { slug: 'monthly', fields, terms, created_by: 'account_1' } },
    {
      type: 'PlanGrantsChanged',
      data: {
        plan_version: 1,
        grants: { ...grants, digital_products: [] },
        added: [],
        removed: [],
        keep_existing: false,
      },
    },
    { type: 'PlanActivated', data: {} },
  );
  const decide = (state: PlanState, ...changes: Parameters<typeof eventsOfSeats>[1]) =>
    eventsOfSeats('subscription_1', changes, new Map([['plan_monthly', state]]), day(1));
  const joins = { plan_id: 'plan_monthly', plan_version: 1, joins: true };
  const leaves = { ...joins, joins: false };
  const typesOf = (events: ReturnType<typeof decide>) =>
    isRejection(events) ? events.rejected : events.map(({ type }: DomainEvent) => type);

  test('is written to its stream, with how it looks after it', () => {
    expect(decide(sold, joins)).toEqual([
      expect.objectContaining({
        type: 'PlanSubscriberAdded',
        stream: 'plan_monthly',
        schema: 1,
        data: { subscription_id: 'subscription_1', plan_version: 1 },
      }),
      expect.objectContaining({ type: 'PlanShown', stream: 'plan_monthly' }),
    ]);
  });

  test('follows each change of the same commit', () => {
    expect(typesOf(decide(sold, joins, leaves))).toEqual([
      'PlanSubscriberAdded',
      'PlanShown',
      'PlanSubscriberRemoved',
      'PlanShown',
    ]);
    expect(typesOf(decide(sold, joins, joins))).toBe('sold_out');
    const full: PlanState = { ...(sold as Plan), subscriber_count: 1, sold_version: 1 };
    expect(typesOf(decide(full, joins))).toBe('sold_out');
    expect(typesOf(decide(full, leaves, joins))).toEqual([
      'PlanSubscriberRemoved',
      'PlanShown',
      'PlanSubscriberAdded',
      'PlanShown',
    ]);
  });

  test('is refused where it is not sold, or not at these terms', () => {
    expect(typesOf(decide(sold, { ...joins, plan_version: 2 }))).toBe('price_changed');
    expect(typesOf(decide({ ...(sold as Plan), status: 'retired' }, joins))).toBe('invalid_state');
    expect(typesOf(decide(null, joins))).toBe('not_found');
  });

  test('lets a subscriber of a retired plan go', () => {
    expect(typesOf(decide({ ...(sold as Plan), status: 'retired', subscriber_count: 1 }, leaves))).toEqual([
      'PlanSubscriberRemoved',
    ]);
  });
});
