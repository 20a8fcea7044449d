import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { redeemerEvents } from './redeemer.events.ts';
import { redeemerDecider } from './redeemer.ts';

/** What buyers have had of coupons. */
export const redeemerSlice: Slice = {
  name: 'coupon-uses',
  operations: [],
  events: redeemerEvents,
  aggregates: [aggregate(streamsOf('redeemer_'), redeemerDecider)],
};
