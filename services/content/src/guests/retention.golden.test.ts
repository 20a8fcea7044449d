import { testEventCatalogue } from '@lyceum/testkit/testing';
import { retentionEvents } from './retention.events.ts';

testEventCatalogue(
  'what is remembered of guests until they are forgotten',
  { events: retentionEvents },
  new URL('retention.events.golden.json', import.meta.url),
);
