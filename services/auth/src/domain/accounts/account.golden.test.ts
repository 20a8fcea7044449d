import { testEventCatalogue } from '@lyceum/testkit/testing';
import { account } from './account.ts';

testEventCatalogue('an account', account, new URL('account.events.golden.json', import.meta.url));
