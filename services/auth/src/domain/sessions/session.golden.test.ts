import { testEventCatalogue } from '@lyceum/testkit/testing';
import { session } from './session.ts';

testEventCatalogue('a session', session, new URL('session.events.golden.json', import.meta.url));
