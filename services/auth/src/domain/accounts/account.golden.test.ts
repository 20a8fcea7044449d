import { testEventCatalogue } from '@lyceum/testkit/testing';
import { accountDecider } from './account.ts';

testEventCatalogue('an account', accountDecider, new URL('account.events.golden.json', import.meta.url));
