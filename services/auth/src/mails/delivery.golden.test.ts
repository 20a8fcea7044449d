import { receiptEvents } from '@lyceum/service';
import { testEventCatalogue } from '@lyceum/testkit/testing';
import { deliveryEvents } from './delivery.events.ts';

const events = { ...deliveryEvents, ...receiptEvents };

testEventCatalogue('a delivery', { events }, new URL('delivery.events.golden.json', import.meta.url));
