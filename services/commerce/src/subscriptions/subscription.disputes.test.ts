import { describe, expect, test } from '@jest/globals';
import { duesOf } from './subscription.schedule.ts';
import { givesAccess } from './subscription.state.ts';
import { after, ask, day, lifetime, yearly } from './testing/histories.ts';

const { place, start, renew, fail, pass, cancel, resume, pause, change, suspend, restore } = ask;
const begun = [place(day(0)), start(day(0))] as const;
const january = day(31);
const types = (outcome: ReturnType<ReturnType<typeof after>['do']>) =>
  typeof outcome === 'string' ? outcome : outcome.map(({ type }) => type.replace('Subscription', ''));
const dues = (history: ReturnType<typeof after>) =>
  duesOf(history.state!).map(({ at, renewal }) => `${at.slice(0, 10)} ${renewal ? renewal.total : 'passes'}`);

describe('a subscription of which a payment is disputed', () => {
  test('rests, charges nothing, and has the rest of its period when the dispute is won', () => {
    const history = after(...begun);
    expect(history.do(suspend(day(10)))).toMatchObject([{ type: 'SubscriptionPaused', data: { order_id: 'order_1' } }]);
    expect([givesAccess(history.state!), dues(history), history.state?.status]).toEqual([false, [], 'paused']);
    expect(history.do(suspend(day(11)))).toEqual([]);
    expect(types(history.do(restore(day(40))))).toEqual(['Resumed']);
    expect(history.state).toMatchObject({ status: 'active', period: { start: day(30), end: day(61) }, access: 2 });
    expect(history.do(restore(day(41)))).toEqual([]);
    expect(types(history.do(suspend(day(42))))).toEqual(['Paused']);
  });

  test('keeps a cancellation for the end of the period, which moves', () => {
    const history = after(...begun, cancel(day(5), 'period_end'), suspend(day(10)), restore(day(20)));
    expect([history.state?.cancel?.ends_at, dues(history)]).toEqual([day(41), ['2027-02-10 passes']]);
    expect(types(history.do(pass(day(41))))).toEqual(['Canceled']);
  });

  test('drops a change that waits, and what is due of it is asked for again afterwards', () => {
    const changing = after(...begun, change(day(1), yearly, 'period_end'));
    expect(types(changing.do(suspend(day(2))))).toEqual(['PlanChangeWithdrawn', 'Paused']);
    const late = after(...begun, fail(january, january), suspend(day(33)), restore(day(50)));
    expect(late.state).toMatchObject({ status: 'active', dunning: null, period: { end: day(48) } });
    expect(dues(late)).toEqual(['2027-02-17 3100']);
    expect(types(late.do(renew(day(50), day(48), 'order_3')))).toEqual(['Renewed']);
  });

  test('for life has no end to move', () => {
    const history = after(place(day(0), lifetime), start(day(0)), suspend(day(1)));
    expect(givesAccess(history.state!)).toBe(false);
    history.do(restore(day(9)));
    expect(history.state).toMatchObject({ status: 'active', period: { start: day(0), end: null }, access: 2 });
  });

  test('is the staff’s where they paused it, and where they had it go on', () => {
    const resting = after(...begun, pause(day(5)));
    expect(resting.do(suspend(day(6)))).toEqual([]);
    expect(resting.do(restore(day(7)))).toEqual([]);
    const trusted = after(...begun, suspend(day(5)), resume(day(6)));
    expect([trusted.do(restore(day(7))), trusted.state?.status]).toEqual([[], 'active']);
  });

  test('is not for its member to resume', () =>
    expect(after(...begun, suspend(day(5))).do({ ...resume(day(6)), by: 'member' })).toBe('invalid_state'));

  test('of two orders counts from the first one', () => {
    const history = after(...begun, renew(january, january), suspend(day(40)), suspend(day(45), 'order_2'));
    expect(history.state).toMatchObject({ paused_at: day(40), disputed: ['order_1', 'order_2'] });
    history.do(restore(day(50)));
    expect(history.state).toMatchObject({ period: { end: day(69) }, access: 2 });
    expect(history.state?.disputed).toBeUndefined();
  });

  test('is left alone in a trial, which nobody paid for, and once it is over', () => {
    expect(after(place(day(0), undefined, 14), start(day(0))).do(suspend(day(1)))).toEqual([]);
    expect(after(...begun, cancel(day(1), 'now')).do(suspend(day(2)))).toEqual([]);
    expect(after(place(day(0))).do(suspend(day(0)))).toEqual([]);
  });

  test('is over when the dispute is lost, whatever rested', () =>
    expect(types(after(...begun, suspend(day(5))).do(cancel(day(60), 'now')))).toEqual(['Canceled']));

  test('goes on where a release paused it that wrote no order', () => {
    const history = after(...begun);
    const { state } = after(...begun, pause(day(5)));
    expect(state).not.toHaveProperty('disputed');
    expect(history.do(restore(day(6)))).toEqual([]);
  });
});
