import { testEventCatalogue } from '@lyceum/testkit/testing';
import { domainHolderDecider } from './domain-holder.ts';

testEventCatalogue('a domain', domainHolderDecider, new URL('domain-holder.events.golden.json', import.meta.url));
