import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { CouponEvent, StoredFields } from './coupon.events.ts';
import { type CouponState, couponDecider } from './coupon.ts';

const fields: StoredFields = {
  name: 'Welcome',
  kind: 'percent',
  value: 10,
  applies_to: 'all',
  max_redemptions: 2,
  per_member_limit: null,
  min_subtotal: null,
  starts_at: null,
  ends_at: null,
  duration: 'once',
  duration_cycles: null,
};
const createdWith = (more: Partial<StoredFields> = {}): CouponEvent => ({
  type: 'CouponCreated',
  data: { code: 'WELCOME10', currency: 'USD', fields: { ...fields, ...more }, created_by: 'acc_1' },
});
const created = createdWith();
// `given` records events at 2026-01-05T08:00:00.000Z.
const now = '2026-01-05T08:00:00.000Z';
const soon = '2026-01-05T08:40:00.000Z';
const later = '2026-01-05T08:41:00.000Z';
const heldBy = (order_id: string, expires_at = soon): CouponEvent => ({
  type: 'CouponHeld',
  data: { order_id, expires_at },
});
const redeemedBy = (order_id: string): CouponEvent => ({
  type: 'CouponRedeemed',
  data: { order_id, member_id: 'acc_9', amount: 490, currency: 'USD' },
});
const paused: CouponEvent = { type: 'CouponPaused', data: {} };
const archived: CouponEvent = { type: 'CouponArchived', data: {} };

const hold = (order_id: string, at = now, expires_at = soon) =>
  ({ type: 'HoldCoupon', order_id, expires_at, now: at }) as const;
const redeem = (order_id: string, at = now) =>
  ({ type: 'RedeemCoupon', order_id, member_id: 'acc_9', amount: 490, currency: 'USD', now: at }) as const;
const release = (order_id: string) => ({ type: 'ReleaseCoupon', order_id }) as const;
const change = (changes: Partial<StoredFields> & { code?: string }, at = now, currency = 'USD') =>
  ({ type: 'ChangeCoupon', changes, currency, now: at }) as const;

describe('a coupon', () => {
  const create = { type: 'CreateCoupon', code: 'WELCOME10', currency: 'USD', fields, by: 'acc_1' } as const;

  test('is created once, with terms that go together', () => {
    given(couponDecider).when(create).then(created);
    given(couponDecider)
      .when({ ...create, fields: { ...fields, value: 101 } })
      .rejected('validation_failed');
    given(couponDecider, created).when(create).rejected('invalid_state');
  });

  test('that is not there cannot be changed, ended or used', () => {
    for (const type of ['PauseCoupon', 'ActivateCoupon', 'ArchiveCoupon'] as const)
      given(couponDecider).when({ type }).rejected('not_found');
    given(couponDecider)
      .when(change({ value: 5 }))
      .rejected('not_found');
    given(couponDecider).when({ type: 'DeleteCoupon', now }).rejected('not_found');
    given(couponDecider).when(hold('order_1')).rejected('coupon_invalid');
    given(couponDecider).when(redeem('order_1')).rejected('coupon_invalid');
    given(couponDecider).when(release('order_1')).unchanged();
  });

  test('is changed by what differs', () => {
    const coupon = given(couponDecider, created);
    coupon
      .when(change({ name: 'Welcome', value: 15 }))
      .then({ type: 'CouponChanged', data: { fields: { value: 15 } } });
    coupon
      .when(change({ code: 'HELLO', ends_at: soon }))
      .then(
        { type: 'CouponChanged', data: { fields: { ends_at: soon } } },
        { type: 'CouponCodeChanged', data: { code: 'HELLO' } },
      );
    coupon.when(change({ ...fields, code: 'WELCOME10' })).unchanged();
    coupon.when(change({ duration: 'repeating' })).rejected('validation_failed');
    coupon.when(change({ starts_at: soon, ends_at: now })).rejected('validation_failed');
  });

  test('says amounts in the currency that the school has when they are said', () => {
    const coupon = given(couponDecider, created);
    coupon
      .when(change({ kind: 'amount', value: 500 }, now, 'EUR'))
      .then({ type: 'CouponChanged', data: { fields: { kind: 'amount', value: 500 }, currency: 'EUR' } });
    coupon.when(change({ name: 'x' }, now, 'EUR')).then({ type: 'CouponChanged', data: { fields: { name: 'x' } } });
  });

  test('keeps code, kind and value once it was redeemed, and a limit of at least what is used', () => {
    const used = given(couponDecider, created, redeemedBy('order_1'), heldBy('order_2'));
    for (const frozen of [{ code: 'OTHER' }, { value: 20 }, { kind: 'amount' as const }, { max_redemptions: 1 }])
      used.when(change(frozen)).rejected('redeemed');
    used
      .when(change({ max_redemptions: 1 }, later))
      .then({ type: 'CouponChanged', data: { fields: { max_redemptions: 1 } } });
    used
      .when(change({ name: 'Hello', max_redemptions: null }))
      .then({ type: 'CouponChanged', data: { fields: { name: 'Hello', max_redemptions: null } } });
    given(couponDecider, created, heldBy('order_1'))
      .when(change({ value: 20 }))
      .then({ type: 'CouponChanged', data: { fields: { value: 20 } } });
  });

  test('is paused and activated, and archived for good', () => {
    given(couponDecider, created).when({ type: 'PauseCoupon' }).then(paused);
    given(couponDecider, created, paused).when({ type: 'PauseCoupon' }).unchanged();
    given(couponDecider, created, paused).when({ type: 'ActivateCoupon' }).then({ type: 'CouponActivated', data: {} });
    given(couponDecider, created).when({ type: 'ActivateCoupon' }).unchanged();
    given(couponDecider, created).when({ type: 'ArchiveCoupon' }).then(archived);
    const gone = given(couponDecider, created, archived);
    gone.when({ type: 'ArchiveCoupon' }).unchanged();
    for (const type of ['PauseCoupon', 'ActivateCoupon'] as const) gone.when({ type }).rejected('invalid_state');
    gone.when(change({ name: 'x' })).rejected('invalid_state');
  });

  test('is deleted when it was never redeemed and no order uses it', () => {
    const deleting = (at = now) => ({ type: 'DeleteCoupon', now: at }) as const;
    given(couponDecider, created).when(deleting()).then({ type: 'CouponDeleted', data: {} });
    given(couponDecider, created, redeemedBy('order_1')).when(deleting()).rejected('redeemed');
    const used = given(couponDecider, created, heldBy('order_1'));
    used.when(deleting()).rejected('invalid_state');
    used.when(deleting(later)).then({ type: 'CouponDeleted', data: {} });
  });
});

describe('a use of a coupon', () => {
  test('is held for an order until it expires, once, and may be held for longer', () => {
    given(couponDecider, created).when(hold('order_1')).then(heldBy('order_1'));
    const used = given(couponDecider, created, heldBy('order_1'));
    used.when(hold('order_1')).unchanged();
    used.when(hold('order_1', now, later)).then(heldBy('order_1', later));
  });

  test('is refused beyond the limit: what is redeemed and what is held count, what has expired does not', () => {
    const full = given(couponDecider, created, redeemedBy('order_1'), heldBy('order_2'));
    full.when(hold('order_3')).rejected('coupon_invalid');
    full.when(redeem('order_3')).rejected('coupon_invalid');
    full.when(hold('order_3', later)).then(heldBy('order_3'));
    given(couponDecider, created, redeemedBy('order_1'), redeemedBy('order_2'))
      .when(hold('order_3', later))
      .rejected('coupon_invalid');
  });

  test('is refused before its time, after it, and while the coupon is paused or archived', () => {
    const at = (more: Partial<StoredFields>) => given(couponDecider, createdWith(more));
    at({ starts_at: soon }).when(hold('order_1')).rejected('coupon_invalid');
    at({ starts_at: now }).when(hold('order_1')).then(heldBy('order_1'));
    at({ ends_at: now }).when(hold('order_1')).rejected('coupon_invalid');
    at({ ends_at: soon }).when(hold('order_1')).then(heldBy('order_1'));
    for (const end of [paused, archived])
      given(couponDecider, created, end).when(hold('order_1')).rejected('coupon_invalid');
  });

  test('that is held is redeemed, whatever became of the coupon meanwhile', () => {
    for (const end of [paused, archived])
      given(couponDecider, created, heldBy('order_1'), end).when(redeem('order_1')).then(redeemedBy('order_1'));
  });

  test('that is not held any more is redeemed while one is left', () => {
    given(couponDecider, created).when(redeem('order_1')).then(redeemedBy('order_1'));
    const gone = given(couponDecider, created, heldBy('order_1'));
    gone.when(redeem('order_1', later)).then(redeemedBy('order_1'));
    given(couponDecider, created, heldBy('order_1'), paused).when(redeem('order_1', later)).rejected('coupon_invalid');
    given(couponDecider, createdWith({ max_redemptions: 1 }), heldBy('order_1'), redeemedBy('order_2'))
      .when(redeem('order_1', later))
      .rejected('coupon_invalid');
  });

  test('is kept for 5,000 orders at a time: of any number, more are sold without; of a limited one none', () => {
    const stateWith = (max_redemptions: number | null): CouponState => {
      const state = couponDecider.evolve(couponDecider.initial, createdWith({ max_redemptions }), {
        at: now,
        version: 1,
      });
      const holds = Array.from({ length: 5_000 }, (_, index) => ({ order_id: `order_${index}`, expires_at: soon }));
      return state && { ...state, holds };
    };
    const [unlimited, limited] = [stateWith(null), stateWith(9_000)];
    expect(couponDecider.decide(hold('one more'), unlimited)).toEqual([]);
    expect(couponDecider.decide(redeem('one more'), unlimited)).toEqual([redeemedBy('one more')]);
    const afterwards = hold('one more', later, '2026-01-05T09:00:00.000Z');
    expect(couponDecider.decide(afterwards, unlimited)).toEqual([heldBy('one more', '2026-01-05T09:00:00.000Z')]);
    expect(couponDecider.decide({ type: 'DeleteCoupon', now }, unlimited)).toMatchObject({ rejected: 'invalid_state' });
    expect(couponDecider.decide(hold('one more'), limited)).toMatchObject({ rejected: 'coupon_invalid' });
  });

  test('of any number is redeemed by an order that holds none, also when the coupon is paused meanwhile', () => {
    const unlimited = createdWith({ max_redemptions: null });
    given(couponDecider, unlimited, paused).when(redeem('order_1')).then(redeemedBy('order_1'));
    given(couponDecider, unlimited, paused).when(hold('order_1')).rejected('coupon_invalid');
    given(couponDecider, created, paused).when(redeem('order_1')).rejected('coupon_invalid');
  });

  test('is given back once', () => {
    given(couponDecider, created, heldBy('order_1'))
      .when(release('order_1'))
      .then({ type: 'CouponReleased', data: { order_id: 'order_1' } });
    given(couponDecider, created, heldBy('order_1'), { type: 'CouponReleased', data: { order_id: 'order_1' } })
      .when(release('order_1'))
      .unchanged();
    given(couponDecider, created, heldBy('order_1'), redeemedBy('order_1')).when(release('order_1')).unchanged();
  });
});
