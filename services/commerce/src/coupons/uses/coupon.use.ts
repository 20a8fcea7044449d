import { foldEmail } from '@lyceum/contracts';
import { type EventLog, type Vault, claimant, fold } from '@lyceum/eventlog';
import { buyerStream } from '../../buyers/buyer-streams.ts';
import { couponCodes, couponDecider } from '../coupon.ts';
import { type CouponUse, redeemerDecider } from './redeemer.ts';

/** A buyer, by all that is known of them: somebody who comes as a guest the second time is the same person. */
export interface Buyer {
  readonly member_id?: string;
  readonly email?: string;
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
  const streamOf = (known: string, value: string) => buyerStream(vault, school, 'redeemer', [coupon_id, known, value]);
  return Promise.all([
    ...(member_id === undefined ? [] : [streamOf('member', member_id)]),
    ...(email === undefined ? [] : [streamOf('email', foldEmail(email))]),
  ]);
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
