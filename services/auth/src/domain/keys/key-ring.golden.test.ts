import { testEventCatalogue } from '@lyceum/testkit/testing';
import { keyRing } from './key-ring.ts';

testEventCatalogue('a key ring', keyRing, new URL('key-ring.events.golden.json', import.meta.url));
