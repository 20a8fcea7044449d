import { routesOf } from '@lyceum/contracts';
import { domainModule } from '@lyceum/service';
import { capacitySlice } from './capacity/capacity.slice.ts';
import { checkoutSlice } from './checkout/checkout.slice.ts';
import { couponSlice } from './coupons/coupon.slice.ts';
import { batchSlice } from './coupons/batches/batch.slice.ts';
import { demoSlice } from './demo/demo.ts';
import { planSlice } from './plans/plan.slice.ts';
import { redeemerSlice } from './coupons/uses/redeemer.slice.ts';
import { fulfilmentSlice } from './fulfilment/fulfilment.slice.ts';
import { invoiceSlice } from './invoices/invoice.slice.ts';
import { invoicingSlice } from './invoicing/invoicing.slice.ts';
import { mailSlice } from './mails/mail.slice.ts';
import { buyerCheckoutsSlice } from './buyer-checkouts/buyer-checkouts.slice.ts';
import { orderOperatorSlice } from './operator-api/order-operator.slice.ts';
import { orderSlice } from './orders/api/order.slice.ts';
import { commerceServicePorts } from './ports/commerce-ports.ts';
import { commerceSettings } from './ports/commerce-settings.ts';
import { knownSchool } from './schools/known-schools.ts';
import { renewalSlice } from './renewals/renewals.slice.ts';
import { seatRequestSlice } from './seat-requests/seat-request.slice.ts';
import { subscriptionSlice } from './subscriptions/api/subscription.slice.ts';
import { unclaimedSlice } from './unclaimed/unclaimed.slice.ts';
import { webhookEndpoints } from './webhooks/webhook-endpoints.ts';

/** What schools sell and to whom: membership plans, coupons, orders, subscriptions. */
export const commerce = domainModule({
  name: 'commerce',
  routes: routesOf('commerce'),
  // What people speak, where they are written to.
  asks: ['auth'],
  settings: commerceSettings,
  ownPorts: commerceServicePorts,
  // Other services are told of a school once all of it is here.
  arrived: (school, ports) => knownSchool(ports, school),
  // What providers call is no part of the API that clients are told of.
  endpoints: { serve: webhookEndpoints, describe: (operations) => ({ ...operations }) },
  slices: [
    couponSlice,
    redeemerSlice,
    batchSlice,
    planSlice,
    capacitySlice,
    seatRequestSlice,
    orderSlice,
    buyerCheckoutsSlice,
    checkoutSlice,
    orderOperatorSlice,
    fulfilmentSlice,
    unclaimedSlice,
    subscriptionSlice,
    renewalSlice,
    invoiceSlice,
    invoicingSlice,
    mailSlice,
    demoSlice,
  ],
});
