import type { Collection, Documents } from '../port.ts';

/** How many tenants are looked up at once. */
export const mostTenants = 500;

/** Every tenant that has a document in a collection: one that is added meanwhile may be among them. */
export async function* tenantsOf(
  documents: Pick<Documents, 'tenants'>,
  collection: Collection,
): AsyncGenerator<string, void, undefined> {
  for (let after = ''; ;) {
    const some = await documents.tenants(collection, after);
    if (some.length === 0) return;
    yield* some;
    after = some.at(-1)!;
  }
}
