import { testEventCatalogue } from '@lyceum/testkit/testing';
import { postDecider } from './post.ts';

testEventCatalogue('a post', postDecider, new URL('post.events.golden.json', import.meta.url));
