import { testEventCatalogue } from '@lyceum/testkit/testing';
import { unclaimedDecider } from './unclaimed.ts';

testEventCatalogue('unclaimed notices', unclaimedDecider, new URL('unclaimed.events.golden.json', import.meta.url));
