import { testEventCatalogue } from '@lyceum/testkit/testing';
import { sessionDecider } from './session.ts';

testEventCatalogue('a session', sessionDecider, new URL('session.events.golden.json', import.meta.url));
