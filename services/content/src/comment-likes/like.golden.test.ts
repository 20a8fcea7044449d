import { testEventCatalogue } from '@lyceum/testkit/testing';
import { likeDecider } from './like.ts';

testEventCatalogue('a like', likeDecider, new URL('like.events.golden.json', import.meta.url));
