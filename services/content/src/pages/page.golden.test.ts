import { testEventCatalogue } from '@lyceum/testkit/testing';
import { pageDecider } from './page.ts';

testEventCatalogue('a page', pageDecider, new URL('page.events.golden.json', import.meta.url));
