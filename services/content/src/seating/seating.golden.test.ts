import { testEventCatalogue } from '@lyceum/testkit/testing';
import { seatingDecider } from './seating.ts';

testEventCatalogue('who waits for a seat', seatingDecider, new URL('seating.events.golden.json', import.meta.url));
