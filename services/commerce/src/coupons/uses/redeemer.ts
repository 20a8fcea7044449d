import {
  type Decider,
  type DomainEvent,
  type EventContext,
  type EventTypes,
  type Rejection,
  type SideEvent,
  checkEvent,
  isRejection,
} from '@lyceum/kernel';
import { couponEvents } from '../coupon.events.ts';
import { type CouponState, type UseCommand, couponDecider, couponInvalid } from '../coupon.ts';
import { type RedeemerEvent, redeemerEvents } from './redeemer.events.ts';
import { type Tally, hasRoom, held, holdOf, redeemedBy, releasedBy, unused } from '../tallies/tally.ts';

/** What an order asks of a buyer's uses of a coupon. `limit`: how many one person may have; null = any number. */
export interface RedeemerCommand {
  readonly coupon_id: string;
  readonly limit: number | null;
  readonly use: UseCommand;
}

function evolve(state: Tally, event: RedeemerEvent, { at }: EventContext): Tally {
  switch (event.type) {
    case 'CouponUseHeld':
      return held(state, event.data, at);
    case 'CouponUseRedeemed':
      return redeemedBy(state, event.data.order_id);
    case 'CouponUseReleased':
      return releasedBy(state, event.data.order_id);
  }
}

function decide({ coupon_id, limit, use }: RedeemerCommand, state: Tally) {
  const { order_id } = use;
  const about = { coupon_id, order_id };
  if (use.type === 'ReleaseCoupon')
    return state.holds.some((each) => each.order_id === order_id)
      ? [{ type: 'CouponUseReleased' as const, data: about }]
      : [];
  const hold = holdOf(state, order_id, use.now);
  if (!hold && !hasRoom(state, limit, order_id, use.now)) return couponInvalid();
  if (use.type === 'RedeemCoupon') return [{ type: 'CouponUseRedeemed' as const, data: about }];
  const { expires_at } = use;
  if (hold?.expires_at === expires_at) return [];
  return hasRoom(state, limit, order_id, use.now)
    ? [{ type: 'CouponUseHeld' as const, data: { ...about, expires_at } }]
    : couponInvalid();
}

/** What one buyer does with one coupon: it keeps the limit for each person. */
export const redeemerDecider: Decider<Tally, RedeemerCommand, RedeemerEvent, 'coupon_invalid'> = {
  events: redeemerEvents,
  initial: unused,
  decide,
  evolve,
};

/** A coupon as it is now, with what a buyer has had of it. */
export interface CouponUse {
  readonly coupon_id: string;
  readonly coupon: CouponState;
  readonly redeemers: readonly { readonly stream: string; readonly tally: Tally }[];
  /** The streams that decisions about it depend on, and write to, as they were. */
  readonly expectedVersions: readonly { readonly stream: string; readonly version: number }[];
}

const sideEvents = (stream: string, types: EventTypes, events: readonly DomainEvent[]): readonly SideEvent[] =>
  events.map((event) => ({ ...event, stream, schema: checkEvent(types, event).schema }));

/**
 * What an order's hold, payment or end leaves in the streams of its coupon: side events for the commit of the order, which
 * has to expect the versions of the use. Rejected without a word about why.
 */
export function decideUse(use: CouponUse, command: UseCommand): readonly SideEvent[] | Rejection<'coupon_invalid'> {
  const { coupon_id, coupon, redeemers } = use;
  const decision = couponDecider.decide(command, coupon);
  if (isRejection(decision)) return couponInvalid();
  const limit = coupon?.per_member_limit ?? null;
  const all = [...sideEvents(coupon_id, couponEvents, decision)];
  for (const { stream, tally } of redeemers) {
    const own = redeemerDecider.decide({ coupon_id, limit, use: command }, tally);
    if (isRejection(own)) return own;
    all.push(...sideEvents(stream, redeemerEvents, own));
  }
  return all;
}
