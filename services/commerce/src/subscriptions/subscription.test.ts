import { describe, expect, test } from '@jest/globals';
import type { Discount } from '../billing/terms.ts';
import { duesOf } from './subscription.schedule.ts';
import { givesAccess } from './subscription.state.ts';
import { subscriptionDecider } from './subscription.ts';
import { after, ask, day, lifetime, monthly, season, yearly } from './testing/histories.ts';

const { place, start, give, renew, fail, pass, cancel, resume, pause, extend, change, complete, abandonChange } = ask;

/** 31 January, 28 February and 31 March are where periods end that begin on 31 December. */
const [january, february, march] = [day(31), day(59), day(90)];
const begun = [place(day(0)), start(day(0))] as const;
const trying = [place(day(0), monthly, 14), start(day(0))] as const;
const late = [...begun, fail(january, january)] as const;
const types = (outcome: ReturnType<ReturnType<typeof after>['do']>) =>
  typeof outcome === 'string' ? outcome : outcome.map(({ type }) => type.replace('Subscription', ''));
const dues = (history: ReturnType<typeof after>) =>
  duesOf(history.state!).map(({ at, renewal }) => `${at.slice(0, 10)} ${renewal ? renewal.total : 'passes'}`);

describe('a subscription that is bought', () => {
  test('is incomplete until it is paid, and gives no access', () => {
    const { state, claimed } = after(place(day(1)));
    expect(state).toMatchObject({ status: 'incomplete', period: null, expires_at: day(2, 11) });
    expect(givesAccess(state!)).toBe(false);
    expect(claimed.size).toBe(0);
  });

  test('begins with its payment, once, and is the only one of the member and the plan', () => {
    const history = after(...begun);
    expect(history.state).toMatchObject({
      status: 'active',
      period: { start: day(0), end: january },
      value: 3_100,
      agreement: 'agreement_1',
    });
    expect(history.do(start(day(1)))).toEqual([]);
    expect([...history.claimed]).toEqual(['account_1/plan_monthly']);
  });

  test('expires after 23 hours, or with its order, and does not begin any more', () => {
    const history = after(place(day(1)));
    expect(dues(history)).toEqual(['2027-01-02 passes']);
    expect(history.do(pass(day(2, 10)))).toEqual([]);
    expect(types(history.do(pass(day(2, 11))))).toEqual(['Expired']);
    expect(history.do(start(day(3)))).toBe('invalid_state');
    expect(types(after(place(day(1))).do({ type: 'AbandonSubscription', order_id: 'order_1', now: day(1) }))).toEqual([
      'Expired',
    ]);
  });

  test('waits for its order, as long as that can be paid', () => {
    const history = after({ ...place(day(1)), holds_until: day(12) });
    expect(history.state?.expires_at).toBe(day(12));
    expect(after({ ...place(day(1)), holds_until: day(1, 13) }).state?.expires_at).toBe(day(2, 11));
  });

  test('is not abandoned once it has begun, nor by another order', () => {
    const over = { type: 'AbandonSubscription', now: day(1) } as const;
    expect(after(...begun).do({ ...over, order_id: 'order_1' })).toEqual([]);
    expect(after(place(day(1))).do({ ...over, order_id: 'order_9' })).toEqual([]);
  });

  test('is placed once, begun by its own order and for its own member', () => {
    expect(after(place(day(1))).do(place(day(1)))).toEqual([]);
    expect(after(...begun).do({ ...place(day(1)), order_id: 'order_9' })).toBe('invalid_state');
    expect(after(place(day(1))).do(start(day(1), 'order_9'))).toBe('not_found');
    expect(after(place(day(1))).do({ ...start(day(1)), member_id: 'account_2' })).toBe('invalid_state');
    const guest = { ...place(day(1)), member_id: null };
    expect(after(guest, start(day(1))).state).toMatchObject({ member_id: 'account_1', status: 'active' });
  });

  test('for life has no end and nothing due, for a term it ends by itself', () => {
    const forLife = after(place(day(0), lifetime), start(day(0)));
    expect([forLife.state?.period?.end, dues(forLife)]).toEqual([null, []]);
    const forSeason = after(place(day(0), season), start(day(0)));
    expect(dues(forSeason)).toEqual(['2027-03-31 passes']);
    expect(forSeason.do(pass(march))).toMatchObject([
      { type: 'SubscriptionCanceled', data: { reason: 'term_over', by: 'system', ended_at: march } },
    ]);
    expect(forSeason.claimed.size).toBe(0);
  });
});

describe('a trial', () => {
  test('costs nothing, gives access, and is followed by the first period that is paid', () => {
    const history = after(...trying);
    expect(history.state).toMatchObject({ status: 'trialing', value: 0, trial_end: day(14) });
    expect(givesAccess(history.state!)).toBe(true);
    expect(dues(history)).toEqual(['2027-01-14 3100']);
    expect(types(history.do(renew(day(14), day(14))))).toEqual(['Renewed']);
    expect(history.state).toMatchObject({ status: 'active', period: { start: day(14), end: day(45) }, value: 3_100 });
  });

  test('that is not paid afterwards is past due, and that is canceled ends with its last day', () => {
    expect(types(after(...trying).do(fail(day(14), day(14))))).toEqual(['PastDue']);
    const canceled = after(...trying, cancel(day(3), 'period_end'));
    expect(dues(canceled)).toEqual(['2027-01-14 passes']);
    expect(canceled.do(pass(day(15)))).toMatchObject([{ data: { canceled_at: day(3), ended_at: day(14) } }]);
  });

  test('of a plan for a term or for life leads to that', () => {
    const term = after(place(day(0), season, 7), start(day(0)), renew(day(7), day(7), 'order_2', 9_000));
    expect(dues(term)).toEqual(['2027-04-07 passes']);
    const life = after(place(day(0), lifetime, 7), start(day(0)), renew(day(7), day(7), 'order_2', 90_000));
    expect([life.state?.period, dues(life)]).toEqual([{ start: day(7), end: null }, []]);
  });
});

describe('a renewal', () => {
  test('follows the period before it without a gap, by the day of the month on which all began', () => {
    const history = after(...begun, renew(january, january));
    expect(history.state?.period).toEqual({ start: january, end: february });
    expect(types(history.do(renew(february, february, 'order_3')))).toEqual(['Renewed']);
    expect(history.state?.period).toEqual({ start: february, end: march });
  });

  test('counts once, and only for the period and the price that come next', () => {
    const history = after(...begun, renew(january, january));
    expect(history.do(renew(january, january))).toEqual([]);
    expect(history.do(renew(january, january, 'order_9'))).toBe('invalid_state');
    expect(history.do(renew(february, february, 'order_3', 3_099))).toBe('invalid_state');
    expect(after(...begun, cancel(day(2), 'period_end')).do(renew(january, january))).toBe('invalid_state');
    expect(after(...begun, cancel(day(2), 'now')).do(renew(january, january))).toBe('already_canceled');
  });

  test('takes over what the person has agreed to with the payment', () => {
    const agreed = { provider: 'stripe', agreement: 'agreement_2' };
    const history = after(...begun, { ...renew(january, january), agreed });
    expect(history.state).toMatchObject(agreed);
    history.do(renew(february, february, 'order_3'));
    expect(history.state).toMatchObject(agreed);
  });

  test('takes the coupon off as often as it lasts', () => {
    const coupon: Discount = { coupon_id: 'coupon_1', kind: 'percent', value: 50, remaining_cycles: 2 };
    const history = after({ ...place(day(0)), coupon }, start(day(0)));
    expect([history.state?.value, dues(history)]).toEqual([1_550, ['2027-01-31 1550']]);
    history.do(renew(january, january, 'order_2', 1_550));
    expect([history.state?.coupon, dues(history)]).toEqual([null, ['2027-02-28 3100']]);
  });

  test('that costs nothing needs no payment', () => {
    const history = after(give(day(0)));
    expect([history.state?.terms.price.amount, dues(history)]).toEqual([0, ['2027-01-31 passes']]);
    expect(history.do(pass(january))).toMatchObject([{ type: 'SubscriptionRenewed', data: { order_id: null } }]);
    expect(history.do(pass(january))).toEqual([]);
    expect(history.do(give(january))).toBe('invalid_state');
  });
});

describe('periods that nobody was asked to pay for', () => {
  test('are passed over once they are over, and the one of now is due', () => {
    const history = after(...begun);
    expect(history.do(ask.passPeriods(january))).toEqual([]);
    expect(history.do(ask.passPeriods(day(100)))).toMatchObject([
      { type: 'SubscriptionRenewed', data: { period_start: january, period_end: february, order_id: null, total: 0 } },
      { type: 'SubscriptionRenewed', data: { period_start: february, period_end: march, order_id: null, total: 0 } },
    ]);
    expect(history.state).toMatchObject({ status: 'active', value: 0, paid_by: null, period: { end: march } });
    expect(dues(history)).toEqual(['2027-03-31 3100']);
    expect(history.do(ask.passPeriods(day(100)))).toEqual([]);
    expect(types(history.do(renew(day(100), march, 'order_3')))).toEqual(['Renewed']);
  });

  test('bring the plan that waited for the next of them, and end a trial', () => {
    const changing = after(
      ...begun,
      change(day(1), { ...monthly, plan_version: 2 }, 'period_end'),
      ask.passPeriods(day(100)),
    );
    expect(changing.state).toMatchObject({ change: null, terms: { plan_version: 2 }, period: { end: march } });
    expect(after(...trying, ask.passPeriods(day(50))).state).toMatchObject({
      status: 'active',
      period: { end: day(45) },
    });
    const term = after(...trying, change(day(1), season, 'period_end'), ask.passPeriods(day(200)));
    expect(types(term.do(pass(day(200))))).toEqual(['Canceled']);
  });

  test('are none while a payment is due, nor where none follows', () => {
    expect(after(...late).do(ask.passPeriods(day(100)))).toEqual([]);
    expect(after(...begun, cancel(day(5), 'period_end')).do(ask.passPeriods(day(100)))).toEqual([]);
    expect(after(place(day(0))).do(ask.passPeriods(day(100)))).toEqual([]);
  });
});

describe('a payment that is due', () => {
  test('leaves access for the time of grace, and is tried again after 1, 3, 7 and 13 days', () => {
    const history = after(...late);
    expect(givesAccess(history.state!)).toBe(true);
    const tries: string[] = [];
    for (let number = 2; history.state?.dunning?.next_attempt_at; number += 1) {
      const at = history.state.dunning.next_attempt_at;
      tries.push(at.slice(0, 10));
      expect(types(history.do(fail(at, january, `payment_${number}`)))).toEqual(['RetryFailed']);
    }
    expect(tries).toEqual(['2027-02-01', '2027-02-03', '2027-02-07', '2027-02-13']);
    expect(dues(history)).toEqual(['2027-02-14 passes']);
    expect(history.do(pass(day(45, 11)))).toEqual([]);
    expect(history.do(pass(day(46)))).toMatchObject([{ type: 'SubscriptionLapsed', data: { ended_at: day(45) } }]);
    expect(history.claimed.size).toBe(0);
    expect(history.do(renew(day(47), january))).toBe('invalid_state');
  });

  test('and is paid recovers the subscription, whose periods stay where they were', () => {
    const history = after(...late);
    expect(types(history.do(renew(day(38), january)))).toEqual(['Renewed', 'Recovered']);
    expect(history.state).toMatchObject({ status: 'active', dunning: null, period: { start: january, end: february } });
  });

  test('fails once for each payment, and not by what is said late', () => {
    const history = after(...late);
    expect(history.do(fail(day(32), january))).toEqual([]);
    expect(history.do(fail(day(32), january, 'payment_2', 'order_9'))).toEqual([]);
    const paid = after(...late, renew(day(32), january));
    expect(paid.do(fail(day(33), january, 'payment_2'))).toEqual([]);
    expect(after(place(day(1))).do(fail(day(1), day(1)))).toEqual([]);
  });

  test('that fails when the time of grace is over, as it was on its way, leaves three days more', () => {
    const history = after(...late, fail(day(38), january, 'payment_2'));
    expect(history.state?.dunning?.grace_until).toBe(day(45));
    history.do(fail(day(50), january, 'payment_3'));
    expect(history.state?.dunning).toMatchObject({ since: january, grace_until: day(53), next_attempt_at: null });
    expect(history.do(pass(day(52)))).toEqual([]);
    expect(history.do(pass(day(53)))).toMatchObject([{ type: 'SubscriptionLapsed', data: { ended_at: day(53) } }]);
  });

  test('is the end when the time of grace is over, though a try is still to come', () =>
    expect(types(after(...late).do(pass(day(60))))).toEqual(['Lapsed']));
});

describe('the end', () => {
  test('comes at once or with the period, and the plan is free again', () => {
    const now = after(...begun);
    expect(now.do(cancel(day(5), 'now'))).toMatchObject([
      { data: { reason: 'unused', by: 'member', ended_at: day(5) } },
    ]);
    expect([givesAccess(now.state!), now.claimed.size, dues(now)]).toEqual([false, 0, []]);
    const later = after(...begun, cancel(day(5), 'period_end'));
    expect(later.state).toMatchObject({ status: 'active', cancel: { ends_at: january }, canceled_at: day(5) });
    expect(later.do(cancel(day(6), 'period_end'))).toEqual([]);
    expect(types(later.do(pass(january)))).toEqual(['Canceled']);
  });

  test('is final', () => {
    const history = after(...begun, cancel(day(5), 'now'));
    expect(history.do(cancel(day(6), 'now'))).toBe('already_canceled');
    expect(history.do(resume(day(6)))).toBe('already_canceled');
    const lapsed = after(...late, pass(day(60)));
    expect([lapsed.do(cancel(day(61), 'now')), lapsed.do(resume(day(61)))]).toEqual(['invalid_state', 'invalid_state']);
  });

  test('comes at once where nothing is left that was paid for', () => {
    expect(types(after(...late).do(cancel(day(33), 'period_end')))).toEqual(['Canceled']);
    expect(types(after(...begun, pause(day(3))).do(cancel(day(4), 'period_end')))).toEqual(['Canceled']);
    expect(types(after(...begun).do(cancel(january, 'period_end')))).toEqual(['Canceled']);
  });

  test('cannot wait for the end of what was bought for life, nor for a payment that has not come', () => {
    const forLife = after(place(day(0), lifetime), start(day(0)));
    expect(forLife.do(cancel(day(1), 'period_end'))).toBe('invalid_state');
    expect(types(forLife.do(cancel(day(1), 'now')))).toEqual(['Canceled']);
    expect(after(place(day(0))).do(cancel(day(0), 'now'))).toBe('invalid_state');
  });

  test('is taken back before it comes', () => {
    const history = after(...begun, cancel(day(5), 'period_end'));
    expect(types(history.do(resume(day(6))))).toEqual(['CancelUnscheduled']);
    expect([history.state?.cancel, history.state?.canceled_at, dues(history)]).toEqual([
      null,
      null,
      ['2027-01-31 3100'],
    ]);
    expect(history.do(resume(day(6)))).toEqual([]);
    expect(after(...begun, cancel(day(5), 'period_end')).do(resume(january))).toBe('invalid_state');
    expect(after(...late).do(resume(day(33)))).toBe('invalid_state');
  });
});

describe('a pause', () => {
  test('lets access rest and keeps the rest of the period', () => {
    const history = after(...begun, pause(day(10)));
    expect([givesAccess(history.state!), dues(history)]).toEqual([false, []]);
    expect(history.do(pause(day(11)))).toEqual([]);
    expect(types(history.do(resume(day(20))))).toEqual(['Resumed']);
    expect(history.state).toMatchObject({ status: 'active', period: { start: day(10), end: day(41) }, access: 2 });
    history.do(renew(day(41), day(41)));
    expect(history.state?.period).toEqual({ start: day(41), end: day(69) });
  });

  test('is possible only while a period runs that will be followed by another as it is', () => {
    expect(after(...trying).do(pause(day(1)))).toBe('invalid_state');
    expect(after(...late).do(pause(day(32)))).toBe('invalid_state');
    expect(after(...begun).do(pause(january))).toBe('invalid_state');
    expect(after(...begun, cancel(day(1), 'period_end')).do(pause(day(2)))).toBe('invalid_state');
    expect(after(...begun, change(day(1), yearly, 'period_end')).do(pause(day(2)))).toBe('invalid_state');
    expect(after(place(day(0), lifetime), start(day(0))).do(pause(day(1)))).toBe('invalid_state');
  });
});

describe('more days', () => {
  test('make the period longer, and later ones are counted from its end', () => {
    const history = after(...begun, extend(day(5), 10));
    expect(history.state?.period).toEqual({ start: day(0), end: day(41) });
    history.do(renew(day(41), day(41)));
    expect(history.state?.period?.end).toBe(day(69));
  });

  test('make a trial longer, and move an end that was chosen', () => {
    expect(after(...trying, extend(day(5), 7)).state).toMatchObject({ trial_end: day(21), period: { end: day(21) } });
    const ending = after(...begun, cancel(day(5), 'period_end'), extend(day(6), 4));
    expect(dues(ending)).toEqual(['2027-02-04 passes']);
  });

  test.each([0, 366, -1, 1.5])('cannot be %d', (days) =>
    expect(after(...begun).do(extend(day(5), days))).toBe('validation_failed'),
  );

  test('cannot be given where no period runs or none ends', () => {
    expect(after(...late).do(extend(day(33), 5))).toBe('invalid_state');
    expect(after(...begun).do(extend(january, 5))).toBe('invalid_state');
    expect(after(place(day(0), lifetime), start(day(0))).do(extend(day(1), 5))).toBe('invalid_state');
    expect(after(...begun, change(day(1), yearly)).do(extend(day(1), 5))).toBe('invalid_state');
    expect(after(place(day(0))).do(extend(day(0), 5))).toBe('invalid_state');
  });
});

describe('another plan', () => {
  test('at once is paid less what is not used, and begins a period when it is paid', () => {
    const history = after(...begun);
    expect(history.do(change(day(10), yearly))).toMatchObject([
      { type: 'SubscriptionPlanChangeRequested', data: { credit: 2_100, charge: 27_900, balance: 0 } },
    ]);
    expect(history.state?.terms.plan_id).toBe('plan_monthly');
    expect([...history.claimed].toSorted()).toEqual(['account_1/plan_monthly', 'account_1/plan_yearly']);
    expect(types(history.do(complete(day(10), 27_900)))).toEqual(['PlanChanged']);
    expect(history.state).toMatchObject({
      terms: { plan_id: 'plan_yearly' },
      period: { start: day(10), end: day(375) },
      value: 30_000,
      access: 2,
      change: null,
    });
    expect([...history.claimed]).toEqual(['account_1/plan_yearly']);
    expect(history.do(complete(day(10), 27_900))).toEqual([]);
  });

  test('at once that costs less than what is not used needs no payment, and the rest is kept', () => {
    const history = after(place(day(0), yearly), start(day(0)));
    expect(types(history.do(change(day(100), monthly)))).toEqual(['PlanChanged']);
    // 265 of 365 days: 21,781 (rounded), of which 3,100 pay for the first month.
    expect(history.state).toMatchObject({ value: 3_100, balance: 18_681, period: { start: day(100) } });
    history.do(pass(history.state!.period!.end!));
    expect(history.state).toMatchObject({ balance: 15_581, value: 3_100, paid_by: null });
  });

  test('that is not paid within the hour, or whose payment fails, is not wanted any more', () => {
    const history = after(...begun, change(day(10), yearly));
    expect(dues(history)).toEqual(['2027-01-10 passes', '2027-01-31 3100']);
    expect(types(history.do(pass(day(10, 13))))).toEqual(['PlanChangeWithdrawn']);
    expect([...history.claimed]).toEqual(['account_1/plan_monthly']);
    expect(history.do(complete(day(10, 14), 27_900))).toBe('invalid_state');
    const failed = after(...begun, change(day(10), yearly));
    expect(types(failed.do(abandonChange(day(10))))).toEqual(['PlanChangeWithdrawn']);
    expect(failed.do(abandonChange(day(10)))).toEqual([]);
  });

  test('that was paid for at another price has to be paid back', () =>
    expect(after(...begun, change(day(10), yearly)).do(complete(day(10), 1))).toBe('invalid_state'));

  test('from the next period comes with its renewal, at its price', () => {
    const history = after(...begun, change(day(10), yearly, 'period_end'));
    expect(dues(history)).toEqual(['2027-01-31 30000']);
    expect(types(history.do(renew(january, january, 'order_2', 30_000)))).toEqual(['PlanChanged', 'Renewed']);
    expect(history.state).toMatchObject({
      terms: { plan_id: 'plan_yearly' },
      period: { start: january, end: day(396) },
    });
    expect([...history.claimed]).toEqual(['account_1/plan_yearly']);
  });

  test('from the next period also follows a term, keeps the day of the month, and waits for what is due', () => {
    const history = after(place(day(0), season), start(day(0)), change(day(10), monthly, 'period_end'));
    expect(types(history.do(fail(march, march)))).toEqual(['PastDue']);
    expect(types(history.do(renew(day(92), march)))).toEqual(['PlanChanged', 'Renewed', 'Recovered']);
    expect(history.state?.period).toEqual({ start: march, end: day(120) });
    history.do(renew(day(120), day(120), 'order_3'));
    expect(history.state?.period?.end).toBe(day(151));
  });

  test('in a trial is in effect at once, and the trial goes on', () => {
    const history = after(...trying, change(day(5), yearly));
    expect(history.state).toMatchObject({ status: 'trialing', terms: { plan_id: 'plan_yearly' }, trial_end: day(14) });
    expect(dues(history)).toEqual(['2027-01-14 30000']);
  });

  test('is replaced by a third, and taken back by choosing the present one', () => {
    const waiting = [...begun, change(day(10), yearly, 'period_end')] as const;
    const replaced = after(...waiting);
    expect(types(replaced.do(change(day(11), season, 'period_end', 'change_2')))).toEqual([
      'PlanChangeWithdrawn',
      'PlanChangeRequested',
    ]);
    expect([...replaced.claimed].toSorted()).toEqual(['account_1/plan_monthly', 'account_1/plan_season']);
    const back = after(...waiting);
    expect(back.do(change(day(11), yearly, 'period_end'))).toEqual([]);
    expect(types(back.do(change(day(11), monthly, 'period_end', 'change_2')))).toEqual(['PlanChangeWithdrawn']);
    expect(back.do(change(day(11), monthly, 'now', 'change_3'))).toEqual([]);
  });

  test('is dropped with the subscription', () => {
    const history = after(...begun, change(day(10), yearly, 'period_end'));
    expect(types(history.do(cancel(day(11), 'period_end')))).toEqual(['PlanChangeWithdrawn', 'CancelScheduled']);
    expect([...history.claimed]).toEqual(['account_1/plan_monthly']);
    expect(after(...begun, change(day(10), yearly), cancel(day(10), 'now')).claimed.size).toBe(0);
  });

  test('must have the same currency, and something to go on from', () => {
    const euros = { ...yearly, price: { amount: 1, currency: 'EUR' } };
    expect(after(...begun).do(change(day(1), euros))).toBe('currency_mismatch');
    expect(after(...late).do(change(day(33), yearly))).toBe('invalid_state');
    expect(after(...begun, pause(day(1))).do(change(day(2), yearly))).toBe('invalid_state');
    expect(after(...begun, cancel(day(1), 'period_end')).do(change(day(2), yearly))).toBe('invalid_state');
    expect(after(place(day(0), lifetime), start(day(0))).do(change(day(1), monthly))).toBe('invalid_state');
    expect(after(give(day(0))).do(change(day(1), yearly))).toBe('invalid_state');
    expect(after(...begun, change(day(1), yearly)).do(change(day(1), season, 'now', 'change_2'))).toBe('invalid_state');
    expect(after(place(day(0))).do(change(day(1), yearly))).toBe('invalid_state');
  });

  test('may be a newer version of the present one', () => {
    const newer = { ...monthly, plan_version: 2, price: { amount: 3_500, currency: 'USD' } };
    const history = after(...begun, change(day(10), newer, 'period_end'), renew(january, january, 'order_2', 3_500));
    expect(history.state?.terms.plan_version).toBe(2);
    expect([...history.claimed]).toEqual(['account_1/plan_monthly']);
  });
});

test('nothing can be asked of a subscription that there is not', () => {
  const ofNone = [cancel(day(1), 'now'), resume(day(1)), pause(day(1)), extend(day(1), 1), change(day(1), yearly)];
  for (const command of [...ofNone, renew(day(1), day(1)), complete(day(1), 1), start(day(1))])
    expect(subscriptionDecider.decide(command, null)).toMatchObject({ rejected: 'not_found' });
  for (const command of [pass(day(1)), fail(day(1), day(1))])
    expect(subscriptionDecider.decide(command, null)).toEqual([]);
});
