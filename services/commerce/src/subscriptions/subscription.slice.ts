import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { subscriptionEvents } from './subscription.events.ts';
import { subscriptionFact } from './subscription.facts.ts';
import { subscriptionDecider } from './subscription.ts';

/** Who has subscribed to which plan, what it costs them, and until when. */
export const subscriptionSlice: Slice = {
  name: 'subscriptions',
  operations: [],
  events: subscriptionEvents,
  aggregates: [aggregate(streamsOf('subscription_'), subscriptionDecider)],
  toFact: subscriptionFact,
};
