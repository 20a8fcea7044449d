import { testEventCatalogue } from '@lyceum/testkit/testing';
import { arrival } from './arrival.ts';

testEventCatalogue('an arrival', arrival, new URL('arrival.events.golden.json', import.meta.url));
