import { testEventCatalogue } from '@lyceum/testkit/testing';
import { courseDecider } from './course.ts';

testEventCatalogue('a course', courseDecider, new URL('course.events.golden.json', import.meta.url));
