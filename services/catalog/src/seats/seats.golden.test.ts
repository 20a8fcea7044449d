import { testEventCatalogue } from '@lyceum/testkit/testing';
import { seatsDecider } from './seats.ts';

testEventCatalogue('the seats of a course', seatsDecider, new URL('seats.events.golden.json', import.meta.url));
