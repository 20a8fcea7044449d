import { testEventCatalogue } from '@lyceum/testkit/testing';
import { grantDecider } from './grant.ts';

testEventCatalogue('a grant', grantDecider, new URL('grant.events.golden.json', import.meta.url));
