import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { itemProjection } from '../items/known-items.ts';
import { schoolProjection } from '../schools/known-schools.ts';
import { couponEvents } from './coupon.events.ts';
import { couponFact } from './coupon.facts.ts';
import { couponOperations, coupons } from './coupon.http.ts';
import { couponDecider } from './coupon.ts';
import { listRedemptions } from './redemption.http.ts';
import { redemptionProjection } from './redemption.rows.ts';

/** What takes something off a price. */
export const couponSlice: Slice = {
  name: 'coupons',
  operations: [...couponOperations, listRedemptions],
  events: couponEvents,
  aggregates: [aggregate(streamsOf('coupon_'), couponDecider)],
  projections: [coupons.projection, redemptionProjection],
  follows: [
    { source: 'school', projection: schoolProjection },
    { source: 'catalog', projection: itemProjection },
  ],
  toFact: couponFact,
};
