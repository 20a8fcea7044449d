import { testEventCatalogue } from '@lyceum/testkit/testing';
import { subscriptionDecider } from './subscription.ts';

testEventCatalogue('a subscription', subscriptionDecider, new URL('subscription.events.golden.json', import.meta.url));
