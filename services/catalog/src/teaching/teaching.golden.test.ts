import { testEventCatalogue } from '@lyceum/testkit/testing';
import { teaching } from './teaching.ts';

testEventCatalogue('the courses of a lecturer', teaching, new URL('teaching.events.golden.json', import.meta.url));
