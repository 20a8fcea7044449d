import { testEventCatalogue } from '@lyceum/testkit/testing';
import { curriculumDecider } from './curriculum.ts';

testEventCatalogue('a curriculum', curriculumDecider, new URL('curriculum.events.golden.json', import.meta.url));
