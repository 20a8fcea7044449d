import { testEventCatalogue } from '@lyceum/testkit/testing';
import { recovery } from './recovery.ts';

testEventCatalogue('a recovery', recovery, new URL('recovery.events.golden.json', import.meta.url));
