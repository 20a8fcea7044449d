import { testEventCatalogue } from '@lyceum/testkit/testing';
import { memberDecider } from './member.ts';

testEventCatalogue('a member', memberDecider, new URL('member.events.golden.json', import.meta.url));
