import { testEventCatalogue } from '@lyceum/testkit/testing';
import { consent } from './consent.ts';

testEventCatalogue('a consent', consent, new URL('consent.events.golden.json', import.meta.url));
