import { testEventCatalogue } from '@lyceum/testkit/testing';
import { productAccessDecider } from './product-access.ts';

testEventCatalogue(
  'the access to a digital product',
  productAccessDecider,
  new URL('product-access.events.golden.json', import.meta.url),
);
