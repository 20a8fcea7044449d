import { foldEmail } from '@lyceum/contracts';
import { type EventLog, type Expectation, type Vault, claimant, fold } from '@lyceum/eventlog';
import {
  type DomainEvent,
  type EventTypes,
  type Rejection,
  type SideEvent,
  checkEvent,
  isRejection,
  uuidv5,
} from '@lyceum/kernel';
import { createHmac } from 'node:crypto';
import { couponEvents } from '../coupons/coupon.events.ts';
import { type CouponState, type UseCommand, couponCodes, couponDecider, couponInvalid } from '../coupons/coupon.ts';
import { redeemerEvents } from './redeemer.events.ts';
import { redeemerDecider } from './redeemer.ts';
import type { Tally } from '../tallies/tally.ts';

/** A buyer, by all that is known of them: somebody who comes as a guest the second time is the same person. */
export interface Buyer {
  readonly member_id?: string;
  readonly email?: string;
}

/** A coupon as it is now, with what a buyer has had of it. */
export interface CouponUse {
  readonly coupon_id: string;
  readonly coupon: CouponState;
  readonly redeemers: readonly { readonly stream: string; readonly tally: Tally }[];
  /** The streams that decisions about it depend on, and write to, as they were. */
  readonly expectedVersions: readonly Expectation[];
}

/** The coupon with a code, however it is typed; undefined when the school has none. Strongly consistent. */
export const couponWithCode = (log: EventLog, school: string, code: string): Promise<string | undefined> =>
  claimant(log, school, couponCodes, code.trim().toUpperCase());

/**
 * The streams that keep what a buyer has had of a coupon. An order keeps them beside its coupon: they are the same for as
 * long as the school is, and say nothing about the buyer to who has not the school's secret.
 */
export async function redeemersOf(
  vault: Pick<Vault, 'derive'>,
  school: string,
  coupon_id: string,
  { member_id, email }: Buyer,
): Promise<readonly string[]> {
  const key = await vault.derive(school, 'coupon-redeemer');
  const streamOf = (known: string, value: string): string => {
    const digest = createHmac('sha256', key)
      .update(JSON.stringify([coupon_id, known, value]))
      .digest('hex');
    return `redeemer_${uuidv5('redeemer', digest)}`;
  };
  return [
    ...(member_id === undefined ? [] : [streamOf('member', member_id)]),
    ...(email === undefined ? [] : [streamOf('email', foldEmail(email))]),
  ];
}

/** Reads a coupon and what its buyer has had of it. Strongly consistent. */
export async function readCouponUse(
  log: EventLog,
  school: string,
  coupon_id: string,
  streams: readonly string[],
): Promise<CouponUse> {
  const [{ state: coupon, version }, ...tallies] = await Promise.all([
    fold(log, couponDecider, school, coupon_id),
    ...streams.map((stream) => fold(log, redeemerDecider, school, stream)),
  ] as const);
  const redeemers = streams.flatMap((stream, index) => {
    const found = tallies[index];
    return found ? [{ stream, tally: found.state, version: found.version }] : [];
  });
  return {
    coupon_id,
    coupon,
    redeemers,
    expectedVersions: [
      { stream: coupon_id, version },
      ...redeemers.map((each) => ({ stream: each.stream, version: each.version })),
    ],
  };
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
