import { describe, expect, test } from '@jest/globals';
import { demoSchoolId } from '@lyceum/contracts';
import { fold, memoryEventLog } from '@lyceum/eventlog';
import { couponWithCode } from '../coupon-uses/coupon.use.ts';
import { couponDecider } from '../coupons/coupon.ts';
import { planDecider } from '../plans/plan.ts';
import { seedOffers } from './demo.ts';

describe('what the demo schools sell', () => {
  test('is written once, and is the same code in both, of another coupon', async () => {
    const log = memoryEventLog();
    await seedOffers({ log });
    const schools = ['lantern-craft', 'north-quay'].map(demoSchoolId);
    const lengths = async () =>
      Promise.all(schools.map(async (school) => (await log.readLane(log.laneOf(school), 0, 1_000)).length));
    const before = await lengths();
    await seedOffers({ log });
    expect(await lengths()).toEqual(before);
    const [one, other] = await Promise.all(schools.map((school) => couponWithCode(log, school, 'welcome10')));
    expect(one).toMatch(/^coupon_/);
    expect(other).not.toBe(one);
  });

  test('is a coupon in each state, and one for a plan that there is', async () => {
    const log = memoryEventLog();
    await seedOffers({ log });
    const school = demoSchoolId('north-quay');
    const couponOf = async (code: string) =>
      (await fold(log, couponDecider, school, (await couponWithCode(log, school, code))!)).state!;
    expect(await couponOf('LASTSEAT')).toMatchObject({ kind: 'amount', currency: 'JPY', max_redemptions: 1 });
    expect((await couponOf('SUMMER26')).ends_at).toBe('2026-09-01T00:00:00.000Z');
    expect((await couponOf('WINTER15')).status).toBe('paused');
    const { applies_to, duration_cycles } = await couponOf('FRIENDS');
    const [plan] = applies_to as { item_id: string }[];
    const { state } = await fold(log, planDecider, school, plan!.item_id);
    expect([duration_cycles, state]).toMatchObject([3, { slug: 'monthly', status: 'active', trial_days: 14 }]);
  });
});
