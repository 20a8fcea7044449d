/** One use of a coupon that an order has while it is being paid for. Times are RFC 3339 UTC. */
export interface Hold {
  readonly order_id: string;
  readonly expires_at: string;
}

/** How often a coupon was used, by everybody or by one person, and which orders hold a use of it. */
export interface Tally {
  readonly redeemed: number;
  readonly holds: readonly Hold[];
}

/** A coupon that nobody has used. */
export const unused: Tally = { redeemed: 0, holds: [] };

/** The holds that count at a time. A hold is over by itself: nobody has to say so. */
export const liveHolds = ({ holds }: Tally, now: string): readonly Hold[] =>
  holds.filter(({ expires_at }) => expires_at > now);

const ofOthers = (tally: Tally, order_id: string): Tally => ({
  ...tally,
  holds: tally.holds.filter((hold) => hold.order_id !== order_id),
});

/** The hold of an order, as long as it counts. */
export const holdOf = (tally: Tally, order_id: string, now: string): Hold | undefined =>
  liveHolds(tally, now).find((hold) => hold.order_id === order_id);

/** Whether there is a use left for an order; `limit` null = any number. */
export const hasRoom = (tally: Tally, limit: number | null, order_id: string, now: string): boolean =>
  limit === null || tally.redeemed + liveHolds(ofOthers(tally, order_id), now).length < limit;

/** The tally with a hold, in the place of the one that the order had. Those that are over are forgotten. */
export const held = (tally: Tally, hold: Hold, at: string): Tally => ({
  redeemed: tally.redeemed,
  holds: [...liveHolds(ofOthers(tally, hold.order_id), at), hold],
});

/** The tally once an order that is paid has used it. */
export const redeemedBy = (tally: Tally, order_id: string): Tally => ({
  redeemed: tally.redeemed + 1,
  holds: ofOthers(tally, order_id).holds,
});

/** The tally once an order has given its hold back. */
export const releasedBy = (tally: Tally, order_id: string): Tally => ({
  redeemed: tally.redeemed,
  holds: ofOthers(tally, order_id).holds,
});
