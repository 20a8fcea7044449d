import { type EventLog, type Expectation, fold } from '@lyceum/eventlog';
import { capacityDecider, capacityStream } from '../capacity/capacity.ts';
import { readCouponUse } from '../coupons/uses/coupon.use.ts';
import type { Held, HeldSeat } from '../orders/order.held.ts';
import { orderDecider } from '../orders/deciding/order.ts';

/** What is held for an order, with the versions at which it was read. */
export interface ReadHeld {
  readonly held: Held;
  readonly expectedVersions: readonly Expectation[];
}

/** A line that a seat is for. `limit`: how many seats there are to be; where that is not said, as many as there are. */
type Seated = Pick<HeldSeat, 'line_id' | 'item_type' | 'item_id'> & { readonly limit?: number };

/** A coupon, and the streams that count how often its buyer has used it. */
interface UsedCoupon {
  readonly coupon_id: string;
  readonly redeemers: readonly string[];
}

/** The seats of lines and the coupon, as they are now. */
export async function readHolding(
  log: EventLog,
  school: string,
  lines: readonly Seated[],
  coupon: UsedCoupon | null,
): Promise<ReadHeld> {
  const [use, ...seats] = await Promise.all([
    coupon && readCouponUse(log, school, coupon.coupon_id, coupon.redeemers),
    ...lines.map((line) => readSeat(log, school, line)),
  ]);
  return {
    held: { seats: seats.map(({ seat }) => seat), coupon: use },
    expectedVersions: [
      ...(use?.expectedVersions ?? []),
      ...seats.map(({ seat, version }) => ({ stream: seat.stream, version })),
    ],
  };
}

async function readSeat(log: EventLog, school: string, { limit, ...line }: Seated) {
  const stream = capacityStream(line);
  const { state, version } = await fold(log, capacityDecider, school, stream);
  return { seat: { ...line, stream, state, limit: limit ?? state.limit } satisfies HeldSeat, version };
}

/** What is held for an order that was placed. */
export async function readHeld(log: EventLog, school: string, id: string): Promise<ReadHeld> {
  const { state } = await fold(log, orderDecider, school, id);
  const lines = state?.lines.filter(({ seat }) => seat) ?? [];
  const seats = lines.map(({ line_id, item_type, item_id }) => ({ line_id, item_type, item_id }));
  return readHolding(log, school, seats, state?.coupon ?? null);
}
