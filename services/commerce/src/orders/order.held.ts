import { type Rejection, type SideEvent, isRejection } from '@lyceum/kernel';
import { type CapacityCommand, type CapacityState, capacityDecider } from '../capacity/capacity.ts';
import { capacityEvents } from '../capacity/capacity.events.ts';
import { type CouponUse, decideUse } from '../coupons/uses/redeemer.ts';

/** The seats of the item of a line, as they are now. */
export interface HeldSeat {
  readonly line_id: string;
  readonly item_type: string;
  readonly item_id: string;
  readonly stream: string;
  readonly state: CapacityState;
  /** How many seats there are to be; null = as many as are wanted. */
  readonly limit: number | null;
}

/** What is held for an order, or is to be, as it is now. */
export interface Held {
  readonly seats: readonly HeldSeat[];
  readonly coupon: CouponUse | null;
}

/** The order that something is held for. */
interface Holder {
  readonly order_id: string;
  readonly member_id: string | null;
  /** What the coupon takes off, minor units. */
  readonly discount_total: number;
  readonly currency: string;
}

/** What happens to what is held for an order, in this order. */
export interface Holding {
  readonly by: Holder;
  /** Until when it is to be held, RFC 3339 UTC. */
  readonly hold?: string;
  /** It is paid. */
  readonly take?: boolean;
  /** The lines that get their seats again; absent = none. */
  readonly retake?: readonly string[];
  /** The seats of which lines are given back; absent = of none. */
  readonly release?: readonly string[];
  /** The order comes to nothing: the coupon was not used. */
  readonly cancel?: boolean;
  /** RFC 3339 UTC. */
  readonly now: string;
}

type Beside = readonly SideEvent[] | Rejection<'sold_out' | 'coupon_invalid'>;

/** The events that a holding leaves in the streams of what is held, or the first rejection. */
export function eventsOfHolding(held: Held, holding: Holding): Beside {
  const events: SideEvent[] = [];
  for (const decision of decisions(held, holding)) {
    if (isRejection(decision)) return decision;
    events.push(...decision);
  }
  return events;
}

function* decisions({ seats, coupon }: Held, holding: Holding): Iterable<Beside> {
  if (coupon) yield eventsOfCoupon(coupon, holding);
  for (const seat of seats) yield eventsOfSeat(seat, holding);
}

/** What is paid at once is redeemed without having been held. What was redeemed stays counted, also after a refund. */
function eventsOfCoupon(use: CouponUse, { by, hold, take, cancel, now }: Holding): Beside {
  const { order_id, member_id, discount_total: amount, currency } = by;
  const holding = hold === undefined ? [] : decideUse(use, { type: 'HoldCoupon', order_id, expires_at: hold, now });
  // What is redeemed at once has to be in force, as what is held has.
  if (isRejection(holding)) return holding;
  if (take) return decideUse(use, { type: 'RedeemCoupon', order_id, member_id, amount, currency, now });
  if (hold !== undefined) return holding;
  return cancel ? decideUse(use, { type: 'ReleaseCoupon', order_id }) : [];
}

function eventsOfSeat(
  seat: HeldSeat,
  { hold, take = false, retake = [], release = [], now }: Omit<Holding, 'by'>,
): Beside {
  const { line_id: request_id, item_type, item_id, limit, stream } = seat;
  const about = { request_id, item_type, item_id };
  const commands: CapacityCommand[] = [
    ...(hold === undefined ? [] : [{ ...about, type: 'HoldSeat', limit, expires_at: hold, now } as const]),
    ...(take || retake.includes(request_id) ? [{ ...about, type: 'TakeSeat', now } as const] : []),
    ...(release.includes(request_id) ? [{ ...about, type: 'ReleaseSeat' } as const] : []),
  ];
  const events: SideEvent[] = [];
  let { state } = seat;
  for (const command of commands) {
    const decision = capacityDecider.decide(command, state);
    if (isRejection(decision)) return decision;
    for (const event of decision) {
      events.push({ ...event, stream, schema: capacityEvents[event.type].version });
      state = capacityDecider.evolve(state, event, { at: now, version: 0 });
    }
  }
  return events;
}

/** Whether there is a seat for a line that has none at the moment. */
export const hasSeat = ({ seats }: Held, line_id: string, now: string): boolean =>
  seats
    .filter((seat) => seat.line_id === line_id)
    .every((seat) => !isRejection(eventsOfSeat(seat, { retake: [line_id], now })));
