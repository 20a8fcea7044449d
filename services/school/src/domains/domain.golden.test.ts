import { testEventCatalogue } from '@lyceum/testkit/testing';
import { domains } from './domain.ts';

testEventCatalogue('the domains of a school', domains, new URL('domain.events.golden.json', import.meta.url));
