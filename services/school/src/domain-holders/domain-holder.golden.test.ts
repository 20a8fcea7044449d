import { testEventCatalogue } from '@lyceum/testkit/testing';
import { domainHolder } from './domain-holder.ts';

testEventCatalogue('a domain', domainHolder, new URL('domain-holder.events.golden.json', import.meta.url));
