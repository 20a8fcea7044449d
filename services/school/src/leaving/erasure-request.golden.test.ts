import { testEventCatalogue } from '@lyceum/testkit/testing';
import { erasureRequestDecider } from './erasure-request.ts';

testEventCatalogue(
  'erasure request',
  erasureRequestDecider,
  new URL('erasure-request.events.golden.json', import.meta.url),
);
