import { testEventCatalogue } from '@lyceum/testkit/testing';
import { recoveryDecider } from './recovery.ts';

testEventCatalogue('a recovery', recoveryDecider, new URL('recovery.events.golden.json', import.meta.url));
