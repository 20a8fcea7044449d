import { testEventCatalogue } from '@lyceum/testkit/testing';
import { clientDecider } from './client.ts';

testEventCatalogue('a client', clientDecider, new URL('client.events.golden.json', import.meta.url));
