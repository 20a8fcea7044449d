import { expect, test } from '@jest/globals';
import { expectRebuiltAlike } from '@lyceum/testkit-service';
import fc from 'fast-check';
import { analytics } from './module.ts';
import {
  type Analytics,
  type ToldFact,
  coupon,
  enrollment,
  on,
  order,
  schoolSays,
  submission,
  startAnalytics,
  subscription,
} from './testing.ts';

/** What happens at a time; `who` and `what` tell people, courses, orders and subscriptions apart. */
type Happening = (at: string, who: number, what: number) => ToldFact;

const enrolled = (who: number, what: number) => enrollment(`member_${who}`, what);
const ordered = (who: number, what: number) =>
  order(
    `order_${who}_${what}`,
    [
      { of: what, total: 1_230 * (who + 1), tax: 230 },
      { of: what + 1, total: 700, tax: 0 },
    ],
    { coupon_id: what === 0 ? coupon(who) : null, currency: what === 3 ? 'JPY' : 'USD' },
  );
const subscribed = (who: number, what: number) => subscription(`subscription_${who}_${what}`);
const sent = (who: number, what: number) => submission(`submission_${who}_${what}`, who);
const zones = ['Europe/Lisbon', 'Asia/Tokyo', 'America/New_York', 'UTC'];

const happenings: Readonly<Record<string, Happening>> = {
  enrolls: (at, who, what) => enrolled(who, what).activated(at, 'staff'),
  returns: (at, who, what) => enrolled(who, what).activated(at, 'free', true),
  lapses: (at, who, what) => enrolled(who, what).lapsed(at),
  starts: (at, who, what) => enrolled(who, what).started(at),
  attempts: (at, who, what) => enrolled(who, what).attempted(at),
  learns: (at, who, what) => enrolled(who, what).learnt(at, 25 * (who + 1)),
  completes: (at, who, what) => enrolled(who, what).completed(at),
  resets: (at, who, what) => enrolled(who, what).reset(at),
  erases: (at, who, what) => enrolled(who, what).erased(at),
  places: (at, who, what) => ordered(who, what).placed(at),
  pays: (at, who, what) => ordered(who, what).paid(at),
  refunds: (at, who, what) => ordered(who, what).refunded(at, `refund_${what}`, 500, [1]),
  reverses: (at, who, what) => ordered(who, what).reversed(at, `refund_${what}`, 500),
  disputes: (at, who, what) => ordered(who, what).disputed(at, 900),
  loses: (at, who, what) => ordered(who, what).resolved(at, false),
  redeems: (at, who, what) => ordered(who, what).redeemed(at, 10),
  subscribes: (at, who, what) =>
    subscribed(who, what).started(at, subscribed(who, what).each(1_000, 'year', 1), what === 1 ? at : null),
  renews: (at, who, what) => subscribed(who, what).renewed(at, 900),
  changes: (at, who, what) =>
    subscribed(who, what).changed(at, what === 2 ? null : subscribed(who, what).each(700, 'month', 1)),
  pauses: (at, who, what) => subscribed(who, what).paused(at),
  resumes: (at, who, what) => subscribed(who, what).resumed(at),
  cancels: (at, who, what) => subscribed(who, what).canceled(at),
  sends: (at, who, what) => sent(who, what).sent(at, what === 1 ? 'spam' : 'received'),
  marks: (at, who, what) => sent(who, what).spam(at),
  accepts: (at, who, what) => sent(who, what).accepted(at),
  deletes: (at, who, what) => sent(who, what).deleted(at),
  moves: (at, who) => schoolSays(at, { timezone: zones[who] }),
};

interface Step {
  readonly what: string;
  readonly who: number;
  readonly of: number;
  readonly hours: number;
}

/** The time goes on with each step. */
const clocks = new WeakMap<Analytics, { now: number }>();

async function perform(service: Analytics, { what, who, of, hours }: Step): Promise<void> {
  const clock = clocks.get(service) ?? { now: Date.parse(on('01-05')) };
  clocks.set(service, clock);
  clock.now += hours * 3_600_000;
  await service.tell(happenings[what]!(new Date(clock.now).toISOString(), who, of));
}

test('figures that are built anew from random histories are those that were kept up to date', async () => {
  const names = Object.keys(happenings);
  const step = fc.record({
    what: fc.constantFrom(...names),
    who: fc.integer({ min: 0, max: 3 }),
    of: fc.integer({ min: 0, max: 3 }),
    hours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 100, max: 900 })),
  });
  const all = names.filter((what) => what !== 'erases').map((what): Step => ({ what, who: 1, of: 1, hours: 5 }));
  const seen = await expectRebuiltAlike<Step, Analytics>({
    module: analytics,
    start: () => startAnalytics(),
    step,
    perform,
    tenants: () => ['school_1'],
    example: [...all, { what: 'erases', who: 1, of: 1, hours: 1 }],
  });
  for (const name of ['sales', 'subscribers', 'learners', 'form_use'])
    expect([name, Object.keys(seen[name] ?? {}).length > 0]).toEqual([name, true]);
}, 120_000);
