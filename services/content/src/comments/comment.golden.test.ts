import { testEventCatalogue } from '@lyceum/testkit/testing';
import { commentDecider } from './comment.ts';

testEventCatalogue('a comment', commentDecider, new URL('comment.events.golden.json', import.meta.url));
