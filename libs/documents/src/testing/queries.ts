import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Collection, type Document, type Documents, type Found, InvalidQuery, type Query } from '../port.ts';
import { expected, shelf, shelfCondition, shelfContent, shelfSort } from './sample-collection.ts';

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

async function stored(documents: Documents, tenants: Record<string, readonly Found[]>): Promise<Collection> {
  const collection = shelf();
  await documents.open(collection);
  const writes = Object.entries(tenants).flatMap(([tenant, all]) => all.map((found) => ({ tenant, ...found })));
  await documents.apply(collection, 'log', 0, 0, 1, writes);
  return collection;
}

async function pages(documents: Documents, collection: Collection, tenant: string, query: Query): Promise<Found[]> {
  const all: Found[] = [];
  for (let after = query.after; ;) {
    const page = await documents.query(collection, tenant, after ? { ...query, after } : query);
    all.push(...page.items);
    const last = page.items.at(-1);
    if (!page.more) return all;
    expect(page.items).toHaveLength(query.limit);
    const { id, body } = last!;
    const value = query.sort?.field === 'id' ? id : query.sort ? (body[query.sort.field] ?? null) : null;
    after = { id, value: value as string | number | null };
  }
}

const books: readonly Found[] = [
  { id: '1', body: { title: 'Ärger', price: 10, listed: true, tags: ['new', 'de'] } },
  { id: '2', body: { title: 'arch', price: 20, listed: false, tags: ['new'] } },
  { id: '3', body: { title: 'Zoo', listed: true } },
  { id: '4', body: { price: 10 } },
];

const cases: readonly (readonly [string, Omit<Query, 'limit'>, readonly string[]])[] = [
  ['no condition gives all by id', {}, ['1', '2', '3', '4']],
  ['`is` compares exactly', { where: [{ field: 'title', is: 'arch' }] }, ['2']],
  ['`is` null finds what is missing', { where: [{ field: 'listed', is: null }] }, ['4']],
  ['`is` false does not find what is missing', { where: [{ field: 'listed', is: false }] }, ['2']],
  ['`in` takes several values and null', { where: [{ field: 'price', in: [20, null] }] }, ['2', '3']],
  ['`in` of an empty list finds nothing', { where: [{ field: 'price', in: [] }] }, []],
  ['`in` takes booleans', { where: [{ field: 'listed', in: [true] }] }, ['1', '3']],
  ['`in` takes ids', { where: [{ field: 'id', in: ['4', '1', '9'] }] }, ['1', '4']],
  ['`has` finds members of a set', { where: [{ field: 'tags', has: 'new' }] }, ['1', '2']],
  ['`has` compares whole members', { where: [{ field: 'tags', has: 'ne' }] }, []],
  ['`contains` ignores case, also beyond ASCII', { where: [{ field: 'title', contains: 'äR' }] }, ['1']],
  ['`contains` takes wildcards literally', { where: [{ field: 'title', contains: '%' }] }, []],
  [
    '`from` and `to` include, null never is in a range',
    { where: [{ field: 'price', from: 10, to: 20 }] },
    ['1', '2', '4'],
  ],
  ['`above` and `below` exclude', { where: [{ field: 'price', above: 10, below: 21 }] }, ['2']],
  [
    'all conditions must hold',
    {
      where: [
        { field: 'tags', has: 'new' },
        { field: 'price', below: 15 },
      ],
    },
    ['1'],
  ],
  ['ascending, null comes first and ids break ties', { sort: { field: 'price' } }, ['3', '1', '4', '2']],
  ['descending, null comes last and ids fall', { sort: { field: 'price', descending: true } }, ['2', '4', '1', '3']],
  ['texts are ordered by code point', { sort: { field: 'title' } }, ['4', '3', '2', '1']],
  ['ids may fall', { sort: { field: 'id', descending: true } }, ['4', '3', '2', '1']],
];

const wrong: readonly (readonly [string, Query])[] = [
  ['an undeclared field', { where: [{ field: 'colour', is: 'red' }], limit: 1 }],
  ['a field name that is SQL', { where: [{ field: '"; DROP TABLE x; --', is: 'red' }], limit: 1 }],
  ['a value of another kind', { where: [{ field: 'price', is: '10' }], limit: 1 }],
  ['an equality on a set', { where: [{ field: 'tags', is: 'new' }], limit: 1 }],
  ['a membership on a text', { where: [{ field: 'title', has: 'new' }], limit: 1 }],
  ['a part of a number', { where: [{ field: 'price', contains: '1' }], limit: 1 }],
  ['a range without bounds', { where: [{ field: 'price' }], limit: 1 }],
  ['an order by a set', { sort: { field: 'tags' }, limit: 1 }],
  ['a page after a value of another kind', { sort: { field: 'price' }, after: { value: 'x', id: '1' }, limit: 1 }],
  ['a limit of 0', { limit: 0 }],
  ['a limit above 200', { limit: 201 }],
];

/** Conditions, order and paging. */
export function testQueries(documents: () => Documents): void {
  test.each(cases)('%s', async (_title, query, ids) => {
    const collection = await stored(documents(), { a: books });
    const page = await documents().query(collection, 'a', { ...query, limit: 200 });
    expect(page.items.map(({ id }) => id)).toEqual(ids);
    expect(page.more).toBe(false);
  });

  test.each(wrong)('a query with %s is refused', async (_title, query) => {
    const collection = await stored(documents(), { a: books });
    await expect(documents().query(collection, 'a', query)).rejects.toThrow(InvalidQuery);
  });

  test('a page tells whether more follow, exactly at the limit too', async () => {
    const collection = await stored(documents(), { a: books });
    expect((await documents().query(collection, 'a', { limit: 4 })).more).toBe(false);
    expect((await documents().query(collection, 'a', { limit: 3 })).more).toBe(true);
  });

  test('paging in any order over any documents neither skips nor repeats one', async () => {
    const query = fc.record({ where: fc.array(shelfCondition, { maxLength: 2 }), sort: shelfSort });
    await fc.assert(
      fc.asyncProperty(
        shelfContent,
        shelfContent,
        query,
        fc.integer({ min: 1, max: 6 }),
        async (all, others, { where, sort }, limit) => {
          const collection = await stored(documents(), { a: all, b: others });
          const found = await pages(documents(), collection, 'a', { where, limit, ...(sort && { sort }) });
          expect(found).toEqual(json(expected(all, where, sort)));
        },
      ),
      { numRuns: 150, interruptAfterTimeLimit: 5_000 },
    );
  });

  test('no query of one tenant gives a document of another', async () => {
    await fc.assert(
      fc.asyncProperty(shelfContent, shelfCondition, async (all, condition) => {
        const mine = all.map(({ id, body }): Found => ({ id, body: { ...body, owner: 'a' } as Document }));
        const theirs = all.map(({ id, body }): Found => ({ id, body: { ...body, owner: 'b' } as Document }));
        const collection = await stored(documents(), { a: mine, b: theirs });
        const { items } = await documents().query(collection, 'a', { where: [condition], limit: 200 });
        expect(items.filter(({ body }) => body['owner'] !== 'a')).toEqual([]);
        for (const { id } of mine) expect((await documents().get(collection, 'a', id))?.['owner']).toBe('a');
        expect((await documents().query(collection, 'c', { limit: 200 })).items).toEqual([]);
      }),
      { numRuns: 50, interruptAfterTimeLimit: 5_000 },
    );
  });
}
