import { testEventCatalogue } from '@lyceum/testkit/testing';
import { member } from './member.ts';

testEventCatalogue('a member', member, new URL('member.events.golden.json', import.meta.url));
