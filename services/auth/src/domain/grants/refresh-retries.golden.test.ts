import { testEventCatalogue } from '@lyceum/testkit/testing';
import { refreshRetriesDecider } from './refresh-retries.ts';

testEventCatalogue(
  'the retries of a refresh',
  refreshRetriesDecider,
  new URL('refresh-retries.events.golden.json', import.meta.url),
);
