import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { RedeemerEvent } from './redeemer.events.ts';
import { redeemerDecider } from './redeemer.ts';

// `given` records events at 2026-01-05T08:00:00.000Z.
const now = '2026-01-05T08:00:00.000Z';
const soon = '2026-01-05T08:40:00.000Z';
const later = '2026-01-05T08:41:00.000Z';
const about = (order_id: string) => ({ coupon_id: 'coupon_1', order_id });
const held = (order_id: string, expires_at = soon): RedeemerEvent => ({
  type: 'CouponUseHeld',
  data: { ...about(order_id), expires_at },
});
const redeemed = (order_id: string): RedeemerEvent => ({ type: 'CouponUseRedeemed', data: about(order_id) });
const released = (order_id: string): RedeemerEvent => ({ type: 'CouponUseReleased', data: about(order_id) });

const hold = (order_id: string, at = now, limit: number | null = 1, expires_at = soon) => ({
  coupon_id: 'coupon_1',
  limit,
  use: { type: 'HoldCoupon', order_id, expires_at, now: at } as const,
});
const redeem = (order_id: string, at = now, limit: number | null = 1) => ({
  coupon_id: 'coupon_1',
  limit,
  use: { type: 'RedeemCoupon', order_id, member_id: null, amount: 1, currency: 'USD', now: at } as const,
});
const release = (order_id: string) => ({
  coupon_id: 'coupon_1',
  limit: 1,
  use: { type: 'ReleaseCoupon', order_id } as const,
});

describe('what one buyer has of a coupon', () => {
  test('is held, redeemed and given back by an order', () => {
    given(redeemerDecider).when(hold('order_1')).then(held('order_1'));
    given(redeemerDecider, held('order_1')).when(hold('order_1')).unchanged();
    given(redeemerDecider, held('order_1'))
      .when(hold('order_1', now, 1, later))
      .then(held('order_1', later));
    given(redeemerDecider, held('order_1')).when(redeem('order_1')).then(redeemed('order_1'));
    given(redeemerDecider, held('order_1')).when(release('order_1')).then(released('order_1'));
    given(redeemerDecider, held('order_1'), released('order_1')).when(release('order_1')).unchanged();
    given(redeemerDecider, held('order_1'), redeemed('order_1')).when(release('order_1')).unchanged();
  });

  test('is no more than the limit for each person, by what is redeemed and what is held and not over', () => {
    const one = given(redeemerDecider, held('order_1'));
    one.when(hold('order_2')).rejected('coupon_invalid');
    one.when(redeem('order_2')).rejected('coupon_invalid');
    one.when(hold('order_2', later)).then(held('order_2'));
    one.when(hold('order_2', now, 2)).then(held('order_2'));
    one.when(hold('order_2', now, null)).then(held('order_2'));
    const used = given(redeemerDecider, redeemed('order_1'));
    used.when(hold('order_2', later)).rejected('coupon_invalid');
    used.when(redeem('order_2', later, 2)).then(redeemed('order_2'));
  });

  test('that is held is redeemed though the limit is lower by now, but not held for longer', () => {
    const two = given(redeemerDecider, redeemed('order_1'), held('order_2'));
    two.when(redeem('order_2')).then(redeemed('order_2'));
    two.when(hold('order_2', now, 1, later)).rejected('coupon_invalid');
  });
});
