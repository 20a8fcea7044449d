import { testEventCatalogue } from '@lyceum/testkit/testing';
import { batchDecider } from './batch.ts';

testEventCatalogue('a batch of coupons', batchDecider, new URL('batch.events.golden.json', import.meta.url));
