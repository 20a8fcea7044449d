import { testEventCatalogue } from '@lyceum/testkit/testing';
import { client } from './client.ts';

testEventCatalogue('a client', client, new URL('client.events.golden.json', import.meta.url));
