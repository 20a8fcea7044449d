import { testEventCatalogue } from '@lyceum/testkit/testing';
import { entry } from './entry.ts';

testEventCatalogue('a directory entry', entry, new URL('entry.events.golden.json', import.meta.url));
