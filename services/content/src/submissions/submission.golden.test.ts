import { testEventCatalogue } from '@lyceum/testkit/testing';
import { submissionDecider } from './submission.ts';

testEventCatalogue('a submission', submissionDecider, new URL('submission.events.golden.json', import.meta.url));
