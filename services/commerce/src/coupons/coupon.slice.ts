import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { eventProjection } from '../items/known-events.ts';
import { itemProjection } from '../items/known-items.ts';
import { schoolProjection, schoolProjectionBefore } from '../schools/known-schools.ts';
import { couponEvents } from './coupon.events.ts';
import { couponFact } from './coupon.facts.ts';
import { couponOperations, coupons } from './coupon.http.ts';
import { couponDecider } from './coupon.ts';
import { listRedemptions } from './redemption.http.ts';
import { redemptionOf, redemptionProjection, redemptions } from './redemption.rows.ts';

/** The orders that a person paid less for, by a coupon. */
const redemptionData: PersonalData<Ports> = {
  file: 'coupon-redemptions',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: redemptions, field: 'member_id' }, after, ({ body }) => {
      const { member_id: _self, ...redemption } = redemptionOf(body);
      return redemption;
    }),
};

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
    { source: 'content', projection: eventProjection },
  ],
  previousProjections: [schoolProjectionBefore],
  toFact: couponFact,
  personalData: [redemptionData],
};
