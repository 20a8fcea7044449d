import { testEventCatalogue } from '@lyceum/testkit/testing';
import { refreshRetries } from './refresh-retries.ts';

testEventCatalogue(
  'the retries of a refresh',
  refreshRetries,
  new URL('refresh-retries.events.golden.json', import.meta.url),
);
