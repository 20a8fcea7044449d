import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { buyerCheckoutsEvents } from './buyer-checkouts.events.ts';
import { buyerCheckouts } from './buyer-checkouts.ts';

/** What buyers are about to buy. */
export const buyerCheckoutsSlice: Slice = {
  name: 'checkouts',
  operations: [],
  events: buyerCheckoutsEvents,
  aggregates: [aggregate(streamsOf('checkouts_'), buyerCheckouts)],
};
