import { testEventCatalogue } from '@lyceum/testkit/testing';
import { capacityDecider } from './capacity.ts';

testEventCatalogue('the seats of an item', capacityDecider, new URL('capacity.events.golden.json', import.meta.url));
