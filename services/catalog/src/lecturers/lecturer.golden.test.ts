import { testEventCatalogue } from '@lyceum/testkit/testing';
import { lecturerDecider } from './lecturer.ts';

testEventCatalogue('a lecturer', lecturerDecider, new URL('lecturer.events.golden.json', import.meta.url));
