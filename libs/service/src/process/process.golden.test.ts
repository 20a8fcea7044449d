import { testEventCatalogue } from '@lyceum/testkit/testing';
import { processEvents } from './process-events.ts';

testEventCatalogue('processes', { events: processEvents }, new URL('process.events.golden.json', import.meta.url));
