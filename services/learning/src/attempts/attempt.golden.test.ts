import { testEventCatalogue } from '@lyceum/testkit/testing';
import { attemptDecider } from './attempt.ts';

testEventCatalogue('attempts at a quiz', attemptDecider, new URL('attempt.events.golden.json', import.meta.url));
