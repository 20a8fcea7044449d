import { testEventCatalogue } from '@lyceum/testkit/testing';
import { buyerCheckouts } from './buyer-checkouts.ts';

testEventCatalogue(
  'what buyers are about to buy',
  buyerCheckouts,
  new URL('buyer-checkouts.events.golden.json', import.meta.url),
);
