import { facts } from '@lyceum/contracts';
import { testEventCatalogue } from './golden.ts';

/** The facts that cross services; their fixtures lie beside their contract. */
for (const [source, events] of Object.entries(facts))
  testEventCatalogue(
    `${source}, as they cross`,
    { events },
    new URL(`../../../../contracts/src/${source}.facts.golden.json`, import.meta.url),
  );
