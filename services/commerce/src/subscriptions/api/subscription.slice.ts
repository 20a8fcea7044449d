import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import type { CommerceServicePorts } from '../../ports/commerce-ports.ts';
import type { CommerceSettings } from '../../ports/commerce-settings.ts';
import { subscriptionEvents } from '../subscription.events.ts';
import { subscriptionFact } from '../subscription.facts.ts';
import { subscriptionDecider } from '../subscription.ts';
import { ownSubscriptionOperations } from './own-subscriptions.ts';
import { planChangeOperations } from './plan-change.http.ts';
import { subscriptionCommands } from './subscription.commands.ts';
import { endingForErased, subscriberErased } from './subscription.erasure.ts';
import { giveSubscription } from './subscription.giving.ts';
import { subscriptionData } from './subscription.personal.ts';
import { getSubscription, listSubscriptions } from './subscription.reading.ts';
import { subscriptionProjection } from './subscription.rows.ts';

/** Who has subscribed to which plan, what it costs them, and until when. */
export const subscriptionSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'subscriptions',
  operations: (ports) => [
    listSubscriptions,
    getSubscription,
    giveSubscription(ports),
    ...subscriptionCommands(ports),
    ...planChangeOperations(ports),
    ...ownSubscriptionOperations(ports),
  ],
  events: subscriptionEvents,
  aggregates: [aggregate(streamsOf('subscription_'), subscriptionDecider)],
  projections: [subscriptionProjection],
  reactions: [endingForErased],
  toFact: subscriptionFact,
  personalData: [subscriptionData],
  erased: subscriberErased,
};
