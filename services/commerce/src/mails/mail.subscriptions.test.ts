import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/mail';
import { until } from '@lyceum/testkit';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { commerce } from '../module.ts';
import { type Selling, addressOf, startSelling } from '../testing/selling.ts';

const subscription = 'subscription_0195a3c2-7d10-7abc-8def-0123456789ab';
const now = '2026-01-05T08:00:00.000Z';
const day = 86_400_000;
const after = (days: number): string => new Date(Date.parse(now) + days * day).toISOString();

let engines: Engines;
let shop: Selling;
let plan: string;
beforeEach(async () => {
  engines = enginesOf(commerce);
  shop = await startSelling({ engines });
  const { body } = await shop.call('POST', '/api/membership_plans', {
    body: { name: 'The whole loft', kind: 'recurring', interval: 'year', interval_count: 1, price: { amount: 9_900 } },
  });
  plan = body.id;
});
afterEach(() => shop.close());

const member = () => ({ member_id: 'account_subscriber', plan_id: plan, plan_version: 1 });
const write = (type: string, data: object) =>
  engines.write('school_1', [{ stream: subscription, type, data: { ...member(), ...data } }]);

const begin = (period_end: string, more: object = {}) =>
  write('SubscriptionStarted', {
    source: 'checkout',
    order_id: null,
    terms: {
      plan_id: plan,
      plan_version: 1,
      kind: 'recurring',
      interval: { unit: 'year', count: 1 },
      price: { amount: 9_900, currency: 'USD' },
    },
    provider: 'test',
    agreement: 'agreement_1',
    timezone: 'Europe/Lisbon',
    coupon: null,
    trial_end: null,
    period_start: now,
    period_end,
    value: 9_900,
    access: 1,
    ...more,
  });

/** Lets days pass, as they do; gives the mails that were sent then. `quiet`: no wait for one, but so many milliseconds. */
async function pass(days: number, quiet?: number): Promise<readonly Message[]> {
  const before = shop.mail.sent.length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  engines.clock.advance(days * day);
  if (quiet === undefined) await until(() => shop.mail.sent.length > before, 'a mail');
  else await new Promise((resolve) => setTimeout(resolve, quiet));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return shop.mail.sent.slice(before);
}

/** Lets days pass in which no mail is to come: as long as several looks at what is due take. */
const passQuietly = async (days: number) => expect(await pass(days, 400)).toEqual([]);

describe('a subscriber is reminded', () => {
  test('three weeks before a year is charged, once', async () => {
    await begin(after(365));
    await passQuietly(343);
    const [mail, ...others] = await pass(1.5);
    expect(mail).toMatchObject({
      to: addressOf('account_subscriber'),
      subject: 'Your subscription to The whole loft at Test School will be renewed',
    });
    expect(mail?.text).toContain('on January 5, 2027. You will be charged $99.00.');
    expect(others).toEqual([]);
    await passQuietly(1);
  });

  test('a week before a trial is over', async () => {
    await begin(after(30), { trial_end: after(30), value: 0 });
    await passQuietly(22);
    const [mail] = await pass(1.5);
    expect(mail?.subject).toBe('Your trial of The whole loft at Test School is about to end');
  });

  test('not when they have canceled, nor when the period ends at another time by now', async () => {
    await begin(after(365));
    const canceled = { reason: 'unused', by: 'member', ends_at: after(365), canceled_at: now };
    await write('SubscriptionCancelScheduled', canceled);
    await passQuietly(345);
    await write('SubscriptionCancelUnscheduled', {});
    await passQuietly(1);
    await write('SubscriptionExtended', { days: 30, period_end: after(395) });
    await passQuietly(1);
    const [mail] = await pass(28);
    expect(mail?.text).toContain('February 4, 2027');
  });
});

describe('a subscriber is told', () => {
  test.each([
    ['SubscriptionLapsed', { order_id: 'order_1' }, 'a payment was due'],
    ['SubscriptionCanceled', { reason: 'unused', by: 'member', canceled_at: now }, 'was canceled'],
  ])('that it has ended: %s', async (type, more, words) => {
    await begin(after(30));
    await write(type, { ...more, ended_at: now, access: 1 });
    const [mail] = await pass(0);
    expect(mail?.subject).toBe('Your subscription to The whole loft at Test School has ended');
    expect(mail?.text).toContain(words);
  });
});
