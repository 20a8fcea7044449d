import { testEventCatalogue } from '@lyceum/testkit/golden';
import { processEvents } from './process-events.ts';

testEventCatalogue('processes', { events: processEvents }, new URL('process.events.golden.json', import.meta.url));
