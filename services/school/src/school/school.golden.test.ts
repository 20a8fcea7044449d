import { testEventCatalogue } from '@lyceum/testkit/testing';
import { schoolDecider } from './school.ts';

testEventCatalogue('a school', schoolDecider, new URL('school.events.golden.json', import.meta.url));
