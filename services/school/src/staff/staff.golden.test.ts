import { testEventCatalogue } from '@lyceum/testkit/testing';
import { staff } from './staff.ts';

testEventCatalogue('a staff', staff, new URL('staff.events.golden.json', import.meta.url));
