import { expect, test } from '@jest/globals';
import { mostTenants, tenantsOf } from '../collection/tenants.ts';
import type { Collection, Documents } from '../port.ts';
import { shelf } from './sample-collection.ts';

/** Which tenants have something in a collection. */
export function testTenants(documents: () => Documents): void {
  const all = async (collection: Collection) => {
    const found: string[] = [];
    for await (const tenant of tenantsOf(documents(), collection)) found.push(tenant);
    return found;
  };
  const put = (
    collection: Collection,
    at: number,
    tenants: readonly string[],
    body: object | null = { title: 'x' },
  ) => {
    const writes = tenants.map((tenant) => ({ tenant, id: 'x', body: body as Record<string, unknown> | null }));
    return documents().apply(collection, 'log', 0, at, at + 1, writes);
  };

  test('tenants are those with a document, once, by code point, of this collection', async () => {
    const [mine, other] = [shelf(), shelf()];
    await documents().open(mine);
    await documents().open(other);
    expect(await all(mine)).toEqual([]);
    await put(other, 0, ['elsewhere']);
    const tenants = ['a', 'B', 'ä', '😀', '\uFFFD', 'a-1', 'a/1'];
    const several = ['x', 'y', 'z'].flatMap((id) => tenants.map((tenant) => ({ tenant, id, body: { title: id } })));
    await documents().apply(mine, 'log', 0, 0, 1, several);
    expect(await all(mine)).toEqual(['B', 'a', 'a-1', 'a/1', 'ä', '\uFFFD', '😀']);
    const gone = ['x', 'y', 'z'].map((id) => ({ tenant: 'a-1', id, body: null }));
    await documents().apply(mine, 'log', 0, 1, 2, gone);
    expect(await all(mine)).toEqual(['B', 'a', 'a/1', 'ä', '\uFFFD', '😀']);
    expect(await documents().tenants(mine, 'ä')).toEqual(['\uFFFD', '😀']);
    expect(await documents().tenants(mine, '😀')).toEqual([]);
  });

  test('more tenants than are looked up at once are all found, also where one has more documents than that', async () => {
    const collection = shelf();
    await documents().open(collection);
    const names = Array.from({ length: 2 * mostTenants + 1 }, (_, index) => `t${String(index).padStart(5, '0')}`);
    await put(collection, 0, names);
    const many = Array.from({ length: mostTenants + 1 }, (_, index) => ({
      tenant: names[7]!,
      id: `${index}`,
      body: {},
    }));
    await documents().apply(collection, 'log', 0, 1, 2, many);
    expect(await all(collection)).toEqual(names);
  });
}
