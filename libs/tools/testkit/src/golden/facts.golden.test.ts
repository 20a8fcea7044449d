import { facts } from '@lyceum/contracts';
import { testEventCatalogue } from './golden.ts';

/**
 * The facts that cross services; their fixtures lie beside their contract. What of a schema may change within its version
 * `npm run check` decides, which compares it with the last release (devtools/event-contract): fields may be added, and a new
 * version for each would stop the readers of that release.
 */
for (const [source, events] of Object.entries(facts))
  testEventCatalogue(
    `${source}, as they cross`,
    { events, mayGrow: true },
    new URL(`../../../../contracts/src/integration-events/${source}.facts.golden.json`, import.meta.url),
  );
