import { testEventCatalogue } from '@lyceum/testkit/testing';
import { arrivalDecider } from './arrival.ts';

testEventCatalogue('an arrival', arrivalDecider, new URL('arrival.events.golden.json', import.meta.url));
