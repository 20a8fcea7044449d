import { testEventCatalogue } from '@lyceum/testkit/testing';
import { staffDecider } from './staff.ts';

testEventCatalogue('a staff', staffDecider, new URL('staff.events.golden.json', import.meta.url));
