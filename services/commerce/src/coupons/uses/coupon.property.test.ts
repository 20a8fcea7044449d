import { describe, test } from '@jest/globals';
import { type Rejection, isRejection, isoTime } from '@lyceum/kernel';
import fc from 'fast-check';
import type { CouponEvent } from '../coupon.events.ts';
import { type CouponCommand, type CouponState, couponDecider } from '../coupon.ts';
import { type Tally, liveHolds } from '../tallies/tally.ts';
import type { RedeemerEvent } from './redeemer.events.ts';
import { decideUse, redeemerDecider } from './redeemer.ts';

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);
const streams = ['redeemer_a', 'redeemer_b'] as const;

/** One thing that happens: an order of a buyer does something with its use, the staff changes something, or time goes by. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom('hold' as const, 'redeem' as const, 'release' as const),
      order: fc.nat({ max: 5 }),
      buyer: fc.constantFrom(...streams),
      minutes: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('limit' as const), to: fc.option(fc.integer({ min: 1, max: 4 })) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('pause' as const, 'activate' as const) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('wait' as const), minutes: fc.nat({ max: 30 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const created: CouponEvent = {
  type: 'CouponCreated',
  data: {
    code: 'ABC',
    currency: 'USD',
    created_by: 'acc_1',
    fields: {
      name: 'x',
      kind: 'percent',
      value: 10,
      applies_to: 'all',
      max_redemptions: 3,
      per_member_limit: 2,
      min_subtotal: null,
      starts_at: null,
      ends_at: null,
      duration: 'once',
      duration_cycles: null,
    },
  },
};

/** The streams of a coupon and two buyers, moved by the deciders that the service uses; and a count kept beside them. */
class World {
  now = start;
  coupon: CouponState;
  version = 1;
  readonly tallies = new Map<string, Tally>(streams.map((stream) => [stream, redeemerDecider.initial]));
  /** How many events say that it was redeemed. */
  redeemed = 0;
  /** The buyer of an order is the one of its first step. */
  readonly buyers = new Map<number, string>();

  constructor() {
    this.coupon = couponDecider.evolve(couponDecider.initial, created, { at: isoTime(start), version: 1 });
  }

  /** Whether everything that must hold still does, after each event. */
  take(step: Step): boolean {
    switch (step.what) {
      case 'wait':
        this.now += step.minutes * minute;
        return this.isSound();
      case 'pause':
        return this.command({ type: 'PauseCoupon' });
      case 'activate':
        return this.command({ type: 'ActivateCoupon' });
      case 'limit':
        return this.limit(step.to);
      default:
        return this.use(step);
    }
  }

  limit(to: number | null): boolean {
    const used = this.used();
    const before = this.coupon!.max_redemptions;
    const now = isoTime(this.now);
    const command = { type: 'ChangeCoupon', changes: { max_redemptions: to }, currency: 'USD', now } as const;
    const decision = couponDecider.decide(command, this.coupon);
    const isRefused = isRejection(decision);
    // Refused exactly where it would be below what is used.
    const isRight = isRefused === (to !== null && to !== before && to < used);
    return isRight && this.command(command);
  }

  use({ what, order, buyer: chosen, minutes }: Extract<Step, { order: number }>): boolean {
    const buyer = this.buyers.get(order) ?? chosen;
    this.buyers.set(order, buyer);
    const now = isoTime(this.now);
    const order_id = `order_${order}`;
    const command = {
      hold: { type: 'HoldCoupon', order_id, expires_at: isoTime(this.now + minutes * minute), now },
      redeem: { type: 'RedeemCoupon', order_id, member_id: null, amount: 1, currency: 'USD', now },
      release: { type: 'ReleaseCoupon', order_id },
    } as const;
    const decided = decideUse(
      {
        coupon_id: 'coupon_1',
        coupon: this.coupon,
        redeemers: [{ stream: buyer, tally: this.tallies.get(buyer)! }],
        expectedVersions: [],
      },
      command[what],
    );
    if (isRejection(decided)) return this.isSound();
    return decided.every(({ stream, type, data }) =>
      stream === 'coupon_1'
        ? this.evolve({ type, data } as CouponEvent)
        : this.evolveBuyer(stream, { type, data } as RedeemerEvent),
    );
  }

  command(command: CouponCommand): boolean {
    const decision: readonly CouponEvent[] | Rejection = couponDecider.decide(command, this.coupon);
    return isRejection(decision) ? this.isSound() : decision.every((event) => this.evolve(event));
  }

  evolve(event: CouponEvent): boolean {
    this.version += 1;
    if (event.type === 'CouponRedeemed') this.redeemed += 1;
    this.coupon = couponDecider.evolve(this.coupon, event, { at: isoTime(this.now), version: this.version });
    return this.isSound();
  }

  evolveBuyer(stream: string, event: RedeemerEvent): boolean {
    const tally = this.tallies.get(stream)!;
    this.tallies.set(stream, redeemerDecider.evolve(tally, event, { at: isoTime(this.now), version: 1 }));
    return this.isSound();
  }

  used(): number {
    return this.coupon!.redeemed + liveHolds(this.coupon!, isoTime(this.now)).length;
  }

  isSound(): boolean {
    const { redeemed, max_redemptions: limit, holds } = this.coupon!;
    const now = isoTime(this.now);
    const ofBuyers = [...this.tallies.values()];
    return (
      redeemed === this.redeemed &&
      (limit === null || this.used() <= limit) &&
      new Set(holds.map(({ order_id }) => order_id)).size === holds.length &&
      ofBuyers.every((tally) => tally.redeemed + liveHolds(tally, now).length <= 2)
    );
  }
}

describe('a coupon and its buyers, whatever happens in whatever order', () => {
  test('redeemed and held together never exceed a limit, of all and of each person', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = new World();
        return steps.every((each) => world.take(each));
      }),
      { numRuns: 10_000 },
    );
  });
});
