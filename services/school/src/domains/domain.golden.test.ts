import { testEventCatalogue } from '@lyceum/testkit/testing';
import { domainHolder } from './domain-holder.ts';
import { domains } from './domain.ts';

testEventCatalogue('the domains of a school', domains, new URL('domain.events.golden.json', import.meta.url));
testEventCatalogue('a domain', domainHolder, new URL('domain-holder.events.golden.json', import.meta.url));
