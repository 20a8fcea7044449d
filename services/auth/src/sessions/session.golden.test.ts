import { testEventCatalogue } from '@lyceum/testkit/golden';
import { session } from './session.ts';

testEventCatalogue('a session', session, new URL('session.events.golden.json', import.meta.url));
