import { testEventCatalogue } from '@lyceum/testkit/testing';
import { numberingEvents } from './order.numbers.ts';
import { orderDecider } from './deciding/order.ts';

testEventCatalogue('an order', orderDecider, new URL('order.events.golden.json', import.meta.url));
testEventCatalogue(
  'the numbers of orders',
  { events: numberingEvents },
  new URL('order.numbers.golden.json', import.meta.url),
);
