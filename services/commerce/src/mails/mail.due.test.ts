import { describe, expect, test } from '@jest/globals';
import type { Incoming } from '@lyceum/documents';
import { dueMails } from './mail.due.ts';
import { reminderAt } from './mail.reminders.ts';

const order = 'order_0195a3c2-7d10-7abc-8def-0123456789ab';
const subscription = 'subscription_0195a3c2-7d10-7abc-8def-0123456789ab';
const at = '2026-01-05T08:00:00.000Z';
const heard = (stream: string, type: string, data: object): Incoming => ({
  tenant: 'school_1',
  stream,
  position: 1,
  version: 1,
  type,
  schema: 1,
  data,
  at,
});
const member = { member_id: 'account_1', plan_id: 'plan_1', plan_version: 1 };
const renewed = (period_start: string, period_end: string | null) =>
  heard(subscription, 'SubscriptionRenewed', {
    ...member,
    period_start,
    period_end,
    order_id: null,
    price: { amount: 100, currency: 'USD' },
    discount: 0,
    balance_used: 0,
    total: 100,
  });

describe('what people are written to about', () => {
  const opened = (url: string | null) =>
    heard(order, 'PaymentOpened', { payment_id: 'payment_1', reference: 'r', url });
  const paid = (payment_id: string | null) =>
    heard(order, 'OrderPaid', {
      payment_id,
      provider: 'test',
      event_id: '',
      amount: 0,
      currency: 'USD',
      paid_at: at,
      member_id: null,
      lines: [],
    });

  test.each([
    ['an order that costs nothing', paid(null), ['free']],
    ['a payment, whose invoice says it', paid('payment_1'), []],
    ['a bank transfer that is awaited', opened(null), ['transfer']],
    ['a page on which is paid', opened('https://pay.test'), []],
    ['a payment that failed', heard(order, 'OrderFailed', {}), ['failed']],
    ['an order that expires', heard(order, 'OrderExpired', {}), []],
    ['a stream of something else', heard('course_1', 'OrderFailed', {}), []],
    ['an event that it does not know', heard(order, 'OrderPraised', {}), []],
  ])('%s', (_, event, expected) => expect(dueMails(event).map(({ what }) => what)).toEqual(expected));

  test('a subscription that ends or is not paid', () => {
    const due = { ...member, order_id: 'order_1', payment_id: 'payment_2' };
    const lapsed = heard(subscription, 'SubscriptionLapsed', { ...member, order_id: 'o', ended_at: at, access: 1 });
    expect(dueMails(lapsed)).toMatchObject([{ what: 'ended', about: subscription }]);
    const next = { grace_until: at, next_attempt_at: null };
    const retried = heard(subscription, 'SubscriptionRetryFailed', { ...due, ...next, attempt: 1 });
    expect(dueMails(retried)).toMatchObject([{ what: 'past_due', part: 'payment_2', since: at }]);
  });

  test('a renewal, three weeks before the end of a year, until it is over', () => {
    const [mail] = dueMails(renewed(at, '2027-01-05T08:00:00.000Z'));
    expect(mail).toEqual({
      what: 'renewal',
      about: subscription,
      part: '2027-01-05T08:00:00.000Z',
      since: '2026-12-15T08:00:00.000Z',
      from: '2026-12-15T08:00:00.000Z',
      until: '2027-01-05T08:00:00.000Z',
    });
  });

  test.each([
    ['a month', renewed(at, '2026-02-05T08:00:00.000Z')],
    ['a life', renewed(at, null)],
    [
      'a year that is over, as it is when a log is read again',
      renewed('2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'),
    ],
  ])('not the end of %s', (_, event) => expect(dueMails(event)).toEqual([]));
});

describe('the end of a trial is told of', () => {
  test.each([
    [14, '2026-01-08T00:00:00.000Z'],
    [90, '2026-03-25T00:00:00.000Z'],
    [7, '2026-01-07T00:00:00.000Z'],
    [1, '2026-01-01T00:00:00.000Z'],
  ])('of %i days, on %s', (days, expected) => {
    const begin = Date.parse('2026-01-01T00:00:00.000Z');
    const end = new Date(begin + days * 86_400_000).toISOString();
    expect(reminderAt('2026-01-01T00:00:00.000Z', end, true)).toBe(expected);
  });
});
