import { testEventCatalogue } from '@lyceum/testkit/golden';
import { grant } from './grant.ts';

testEventCatalogue('a grant', grant, new URL('grant.events.golden.json', import.meta.url));
