import { testEventCatalogue } from '@lyceum/testkit/testing';
import { school } from './school.ts';

testEventCatalogue('a school', school, new URL('school.events.golden.json', import.meta.url));
