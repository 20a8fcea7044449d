import { testEventCatalogue } from '@lyceum/testkit/testing';
import { entryDecider } from './entry.ts';

testEventCatalogue('a directory entry', entryDecider, new URL('entry.events.golden.json', import.meta.url));
