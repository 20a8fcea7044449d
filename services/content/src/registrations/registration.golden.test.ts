import { testEventCatalogue } from '@lyceum/testkit/testing';
import { registrationDecider } from './registration.ts';

testEventCatalogue('a registration', registrationDecider, new URL('registration.events.golden.json', import.meta.url));
