import { testEventCatalogue } from '@lyceum/testkit/testing';
import { lifecycleDecider } from './lifecycle.ts';

testEventCatalogue(
  'the lifecycle of a school',
  lifecycleDecider,
  new URL('lifecycle.events.golden.json', import.meta.url),
);
