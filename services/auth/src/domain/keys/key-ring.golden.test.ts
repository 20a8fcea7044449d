import { testEventCatalogue } from '@lyceum/testkit/testing';
import { keyRingDecider } from './key-ring.ts';

testEventCatalogue('a key ring', keyRingDecider, new URL('key-ring.events.golden.json', import.meta.url));
