import { expect, test } from '@jest/globals';
import type { RecordedEvent } from '@lyceum/kernel';
import { subscriptionFact } from './subscription.facts.ts';
import type { SubscriptionCommand } from './subscription.ts';
import { after, ask, day, lifetime, monthly, season, yearly } from './testing/histories.ts';

const half = { coupon_id: 'coupon_1', kind: 'percent', value: 50, remaining_cycles: 1 } as const;

const stream = 'subscription_00000000-0000-7000-8000-000000000001';

/** What is told of the recurring price after commands. */
function toldOf(...commands: readonly SubscriptionCommand[]): readonly unknown[] {
  return after(...commands).log.flatMap(({ event, at }, index): readonly unknown[] => {
    const recorded = {
      ...event,
      id: `e${index}`,
      schema: 1,
      stream,
      version: index + 1,
      at,
    };
    const fact = subscriptionFact(recorded as unknown as RecordedEvent);
    if (fact?.type === 'SubscriptionRenewed') return [['due', fact.data.due]];
    const isOfPrice = fact?.type === 'SubscriptionStarted' || fact?.type === 'SubscriptionPlanChanged';
    return isOfPrice ? [[fact.type, fact.data.recurring]] : [];
  });
}

const each = (amount: number, interval: string) => ({ amount, currency: 'USD', interval, interval_count: 1 });

test('other services hear what each period costs after the discount that counts for it', () => {
  const placed = { ...ask.place(day(1)), coupon: half };
  expect(toldOf(placed, ask.start(day(1)), ask.renew(day(32), day(32)))).toEqual([
    ['SubscriptionStarted', each(1_550, 'month')],
    ['due', 3_100],
  ]);
});

test('in a trial they hear what comes after it, with its discount', () => {
  const placed = { ...ask.place(day(1), yearly, 14), coupon: half };
  expect(toldOf(placed, ask.start(day(1)))).toEqual([['SubscriptionStarted', each(15_000, 'year')]]);
});

test.each([season, lifetime])('of a plan that is not renewed they hear nothing of it: $kind', (terms) => {
  expect(toldOf(ask.place(day(1), terms), ask.start(day(1)))).toEqual([['SubscriptionStarted', null]]);
});

test('nor of one that the staff gave; of another plan they hear its price', () => {
  expect(toldOf(ask.give(day(1), monthly))).toEqual([['SubscriptionStarted', null]]);
  const changed = toldOf(
    ask.place(day(1)),
    ask.start(day(1)),
    ask.change(day(10), yearly),
    ask.complete(day(10), 27_800),
  );
  expect(changed.at(-1)).toEqual(['SubscriptionPlanChanged', each(30_000, 'year')]);
});
