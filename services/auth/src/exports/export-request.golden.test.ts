import { testEventCatalogue } from '@lyceum/testkit/testing';
import { exportRequestDecider } from './export-request.ts';

testEventCatalogue(
  'a request for an export',
  exportRequestDecider,
  new URL('export-request.events.golden.json', import.meta.url),
);
