import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Documents } from './port.ts';
import { testQueries } from './testing/queries.ts';
import { testLifetime } from './testing/lifetime.ts';
import { testTenants } from './testing/tenants.ts';
import { testWrites } from './testing/writes.ts';

export { type HidingDocuments, hidingDocuments } from './testing/elections.ts';

/**
 * The conformance suite of `Documents`: every adapter passes it. `open` gives the store of a place, a new one for a new
 * place; `keeps` tells whether a place still has its documents when it is opened again after closing; `lacksNul` that the
 * server below, like PostgreSQL, has no text with the character NUL.
 */
export function testDocuments(
  name: string,
  open: (place: string) => Promise<Documents>,
  { keeps, lacksNul = false }: { readonly keeps: boolean; readonly lacksNul?: boolean },
): void {
  describe(`documents: ${name}`, () => {
    let documents: Documents;
    beforeAll(async () => {
      documents = await open('shared');
    });
    afterAll(() => documents.close());

    testQueries(() => documents);
    testWrites(() => documents, lacksNul);
    testTenants(() => documents);
    testLifetime(open, keeps);
  });
}
