import { beforeAll, describe, expect, test } from '@jest/globals';
import { payable } from '../billing/amounts.ts';
import type { Discount, Terms } from '../billing/terms.ts';
import { duesOf } from './subscription.schedule.ts';
import { givesAccess } from './subscription.state.ts';
import { Collecting, chances } from './testing/collecting.ts';
import { History, lifetime, monthly, season, yearly } from './testing/histories.ts';

const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.UTC(2027, 0, 1);
const time = (at: number): string => new Date(at).toISOString();
const zones = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe'] as const;
const plans: readonly Terms[] = [monthly, monthly, monthly, yearly, season, lifetime];
const coupons: readonly (Discount | null)[] = [
  null,
  null,
  { coupon_id: 'coupon_1', kind: 'percent', value: 25, remaining_cycles: 3 },
  { coupon_id: 'coupon_2', kind: 'amount', value: 500, remaining_cycles: null },
];

/** One of a list, by chance. */
const one = <T>(list: readonly T[], chance: () => number): T => {
  const chosen = list[Math.floor(chance() * list.length)];
  if (chosen === undefined) throw new Error('an empty list');
  return chosen;
};

/** What was paid for by a subscription's own account, minor units. */
const ledgerOf = ({ log }: History): number =>
  log.reduce((sum, { event: { type, data } }) => {
    if (type === 'SubscriptionStarted') return sum + (data.order_id === null ? 0 : data.value);
    if (type === 'SubscriptionRenewed') return sum + data.total;
    return type === 'SubscriptionPlanChanged' ? sum + data.charge : sum;
  }, 0);

/** A year of so many subscriptions, six hours at a time. */
function year(count: number, seed: number) {
  const chance = chances(seed);
  const subscriptions = Array.from({ length: count }, () => new History());
  // The card of some is good for the first payment only.
  const failing = (index: number): number => (index % 20 === 2 && subscriptions[index]?.state?.period ? 1 : 0.15);
  const collecting = new Collecting(subscriptions, chance, { failing, repeated: 0.2, late: 0.1 });
  const begins = subscriptions.map(() => begin + Math.floor(chance() ** 2 * 365 * day));
  const act = (index: number, now: number): void => {
    const history = subscriptions[index];
    if (!history) return;
    const at = time(now);
    if (!history.state) return beginOne(index, history, now);
    const chosen = chance();
    if (chosen < 0.000_2)
      history.do({ type: 'CancelSubscription', now: at, at: 'now', reason: 'unused', by: 'member' });
    else if (chosen < 0.000_4)
      history.do({ type: 'CancelSubscription', now: at, at: 'period_end', reason: 'other', by: 'staff' });
    else if (chosen < 0.001) history.do({ type: 'PauseSubscription', now: at });
    else if (chosen < 0.02) history.do({ type: 'ResumeSubscription', now: at });
    else if (chosen < 0.021) history.do({ type: 'ExtendSubscription', now: at, days: 1 + Math.floor(chance() * 20) });
    else if (chosen < 0.023) change(index, history, now);
  };
  const beginOne = (index: number, history: History, now: number): void => {
    if (begins[index]! > now) return;
    const terms = one(plans, chance);
    const coupon = one(coupons, chance);
    const trial_days = one([0, 0, 14], chance);
    const order_id = `order_${index}/first`;
    const timezone = one(zones, chance);
    const member_id = `account_${index}`;
    const asked = { now: time(now), member_id, terms, timezone };
    if (index % 25 === 0) return void history.do({ type: 'GiveSubscription', ...asked });
    history.do({ type: 'PlaceSubscription', ...asked, order_id, trial_days, coupon });
    const total = trial_days > 0 ? 0 : payable(terms, coupon, 0).total;
    // Some never pay.
    if (index % 10 !== 1) collecting.charge(index, order_id, { kind: 'first' }, total, now);
  };
  const change = (index: number, history: History, now: number): void => {
    const change_id = `change_${index}/${now}`;
    const when = one(['now', 'period_end'] as const, chance);
    history.do({
      type: 'ChangePlan',
      now: time(now),
      change_id,
      terms: one(plans, chance),
      when,
      keeps_coupon: chance() < 0.5,
    });
    const { change: waiting } = history.state ?? {};
    if (waiting?.when !== 'now' || waiting.change_id !== change_id) return;
    collecting.charge(index, `order_${change_id}`, { kind: 'change', change_id }, waiting.charge, now);
  };
  for (let now = begin; now < begin + 366 * day; now += 6 * hour) {
    for (const index of subscriptions.keys()) act(index, now);
    collecting.turn(now);
  }
  // Nobody does anything more, and what is said late arrives.
  for (let at = 366; at < 371; at += 1) collecting.turn(begin + at * day);
  collecting.listen(begin + 380 * day);
  return { subscriptions, collecting };
}

describe('a year of 1,000 subscriptions', () => {
  let subscriptions: readonly History[];
  let collecting: Collecting;
  beforeAll(() => void ({ subscriptions, collecting } = year(1_000, 12)), 60_000);

  test('the ledger of the subscriptions is the sum of the orders, and what the provider has', () => {
    const ledger = subscriptions.reduce((sum, each) => sum + ledgerOf(each), 0);
    const orders = [...collecting.orders.values()];
    const paid = orders.reduce((sum, each) => sum + each.paid - each.refunded, 0);
    const kept = [...collecting.charges.values()].reduce((sum, each) => sum + (each.refunded ? 0 : each.amount), 0);
    expect({ paid, kept }).toEqual({ paid: ledger, kept: ledger });
    // Nobody was charged twice for an order.
    const charged = [...collecting.charges.values()].map(({ order_id }) => order_id);
    expect(new Set(charged).size).toBe(charged.length);
    expect(orders.filter((each) => each.paid > each.total)).toEqual([]);
    // It was worth something: all ways of a subscription were gone, and money was paid back.
    const states = new Set(subscriptions.map(({ state }) => state?.status));
    expect([...states].toSorted()).toEqual([
      'active',
      'canceled',
      'expired',
      'lapsed',
      'past_due',
      'paused',
      'trialing',
    ]);
    expect(orders.some(({ refunded }) => refunded > 0)).toBe(true);
    expect(orders.length).toBeGreaterThan(2_500);
  });

  test('nothing is overdue but what waits for a payment, and access follows from what is paid or in grace', () => {
    const now = time(begin + 370 * day);
    for (const { state } of subscriptions) {
      if (!state) continue;
      const [due] = duesOf(state);
      expect(!due || due.at > now || due.renewal !== null).toBe(true);
      const isInGrace = state.status === 'past_due' && (state.dunning?.grace_until ?? '') > now;
      const isCovered = state.period !== null && (state.period.end === null || state.period.end > now);
      const isCollected = due?.renewal !== null && due !== undefined && due.at <= now;
      if (givesAccess(state)) expect(isInGrace || isCovered || isCollected).toBe(true);
    }
  });
});
