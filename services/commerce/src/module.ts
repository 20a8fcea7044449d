import { routesOf } from '@lyceum/contracts';
import { domainModule } from '@lyceum/service';
import { couponSlice } from './coupons/coupon.slice.ts';
import { batchSlice } from './coupon-batches/batch.slice.ts';
import { demoSlice } from './demo/demo.ts';
import { planSlice } from './plans/plan.slice.ts';
import { redeemerSlice } from './coupon-uses/redeemer.slice.ts';
import { subscriptionSlice } from './subscriptions/subscription.slice.ts';

/** What schools sell and to whom: membership plans, coupons, subscriptions. */
export const commerce = domainModule({
  name: 'commerce',
  routes: routesOf('commerce'),
  slices: [couponSlice, redeemerSlice, batchSlice, planSlice, subscriptionSlice, demoSlice],
});
