import { testEventCatalogue } from '@lyceum/testkit/testing';
import { domainsDecider } from './domain.ts';

testEventCatalogue('the domains of a school', domainsDecider, new URL('domain.events.golden.json', import.meta.url));
