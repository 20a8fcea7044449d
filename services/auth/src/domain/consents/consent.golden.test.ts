import { testEventCatalogue } from '@lyceum/testkit/testing';
import { consentDecider } from './consent.ts';

testEventCatalogue('a consent', consentDecider, new URL('consent.events.golden.json', import.meta.url));
