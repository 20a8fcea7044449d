import { testEventCatalogue } from '@lyceum/testkit/testing';
import { grant } from './grant.ts';

testEventCatalogue('a grant', grant, new URL('grant.events.golden.json', import.meta.url));
