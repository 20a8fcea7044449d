import { testEventCatalogue } from '@lyceum/testkit/testing';
import { seatRequestDecider } from './seat-request.ts';

testEventCatalogue(
  'a request for a seat',
  seatRequestDecider,
  new URL('seat-request.events.golden.json', import.meta.url),
);
