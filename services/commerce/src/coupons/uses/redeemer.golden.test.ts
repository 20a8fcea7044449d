import { testEventCatalogue } from '@lyceum/testkit/testing';
import { redeemerDecider } from './redeemer.ts';

testEventCatalogue(
  'what a buyer has had of a coupon',
  redeemerDecider,
  new URL('redeemer.events.golden.json', import.meta.url),
);
