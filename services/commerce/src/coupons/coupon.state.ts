import { type EventContext, type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { CouponEvent, StoredFields } from './coupon.events.ts';
import type { couponStatuses } from './terms/coupon.fields.ts';
import { type Tally, held, redeemedBy, releasedBy, unused } from './tallies/tally.ts';

/** A coupon as its events tell it. */
export interface Coupon extends Readonly<StoredFields>, Tally, Recorded {
  readonly code: string;
  readonly currency: string;
  readonly status: (typeof couponStatuses)[number];
  readonly created_by: string;
  readonly batch_id: string | null;
}

/** A coupon; null = there is none. */
export type CouponState = Coupon | null;

const applyAt =
  (at: string) =>
  (state: CouponState, event: CouponEvent): CouponState => {
    if (event.type === 'CouponCreated') {
      const { code, currency, fields, created_by, batch_id = null } = event.data;
      return { ...fields, code, currency, status: 'active', created_by, batch_id, ...unused, ...unrecorded };
    }
    if (!state) return state;
    switch (event.type) {
      case 'CouponChanged': {
        const { fields, currency = state.currency } = event.data;
        return { ...state, ...(fields as Partial<StoredFields>), currency };
      }
      case 'CouponCodeChanged':
        return { ...state, code: event.data.code };
      case 'CouponPaused':
        return { ...state, status: 'paused' };
      case 'CouponActivated':
        return { ...state, status: 'active' };
      case 'CouponArchived':
        return { ...state, status: 'archived' };
      case 'CouponDeleted':
        return null;
      case 'CouponHeld':
        return { ...state, ...held(state, event.data, at) };
      case 'CouponRedeemed':
        return { ...state, ...redeemedBy(state, event.data.order_id) };
      case 'CouponReleased':
        return { ...state, ...releasedBy(state, event.data.order_id) };
    }
  };

/** Folds an event as the log recorded it. */
export const evolve = (state: CouponState, event: CouponEvent, context: EventContext): CouponState =>
  recording(applyAt(context.at), { created: 'CouponCreated' })(state, event, context);
