import fc from 'fast-check';
import type { Collection, Condition, Document, Documents, Found, Query } from '../port.ts';

let versions = 0;

/** A fresh collection of things on a shelf, with a field of every kind. */
export const shelf = (): Collection => ({
  name: 'shelf',
  version: (versions += 1),
  fields: { title: 'text', price: 'number', listed: 'boolean', tags: 'set' },
});

/** Texts that engines are known to disagree about: case, accents, code points beyond U+FFFF, quotes, wildcards. */
const text = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'b', 'é', 'e\u0301', 'É', 'ß', '\uFF5E', '😀', "o'clock", '%', '_', '"', '中文', 'a b'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const price = fc.oneof(fc.constantFrom(0, 1, 2, 1.5, -1, 1e300), fc.integer({ min: -5, max: 5 }));
const tags = fc.uniqueArray(fc.constantFrom('new', 'New', 'café', '😀', ''), { maxLength: 3 });

/** A random document of the shelf, some fields missing. */
export const shelfDocument: fc.Arbitrary<Document> = fc.record(
  { title: fc.option(text), price: fc.option(price), listed: fc.option(fc.boolean()), tags, note: text },
  { requiredKeys: [] },
);

/** Random documents under different ids. */
export const shelfContent: fc.Arbitrary<readonly Found[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.oneof(
        fc.nat({ max: 30 }).map(String),
        text.filter((id) => id !== ''),
      ),
      body: shelfDocument,
    }),
    { selector: ({ id }) => id, maxLength: 25 },
  )
  .map((all) => all.filter(({ id }) => !id.includes('\0')));

/** A random condition that fits the shelf. */
export const shelfCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: fc.constant('title'), is: fc.option(text) }),
  fc.record({ field: fc.constant('listed'), is: fc.option(fc.boolean()) }),
  fc.record({ field: fc.constant('price'), in: fc.array(fc.option(price), { maxLength: 3 }) }),
  fc.record({ field: fc.constant('title'), in: fc.array(fc.option(text), { maxLength: 3 }) }),
  fc.record({ field: fc.constant('tags'), has: fc.constantFrom('new', 'café', '😀', 'none') }),
  fc.record({ field: fc.constant('title'), contains: text }),
  fc.record({ field: fc.constant('price'), from: price }),
  fc.record({ field: fc.constant('price'), above: price, to: price }),
  fc.record({ field: fc.constant('title'), from: text, below: text }),
);

/** A random order of the shelf. */
export const shelfSort: fc.Arbitrary<Query['sort']> = fc.option(
  fc.record({ field: fc.constantFrom('title', 'price', 'id'), descending: fc.boolean() }),
  { nil: undefined },
);

const fold = (value: string): string => value.normalize('NFC').toLowerCase().normalize('NFC');
const textOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function order(a: unknown, b: unknown): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return typeof a === 'string' ? textOrder(a, b as string) : (a as number) - (b as number);
}

function holds(value: unknown, condition: Condition): boolean {
  if ('has' in condition) return ((value ?? []) as string[]).includes(condition.has);
  if ('is' in condition) return (value ?? null) === condition.is;
  if ('in' in condition) return condition.in.includes((value ?? null) as never);
  if (value === null || value === undefined) return false;
  if ('contains' in condition) return fold(value as string).includes(fold(condition.contains));
  const { above, from, below, to } = condition;
  if (above !== undefined && order(value, above) <= 0) return false;
  if (from !== undefined && order(value, from) < 0) return false;
  if (below !== undefined && order(value, below) >= 0) return false;
  return to === undefined || order(value, to) <= 0;
}

/** What a query over plain documents must give, without paging: the model that every engine is held against. */
export function expected(all: readonly Found[], where: readonly Condition[], sort: Query['sort']): readonly Found[] {
  const value = ({ id, body }: Found): unknown =>
    !sort ? null : sort.field === 'id' ? id : (body[sort.field] ?? null);
  const sign = sort?.descending ? -1 : 1;
  return all
    .filter(({ body }) => where.every((condition) => holds(body[condition.field], condition)))
    .sort((a, b) => sign * (order(value(a), value(b)) || textOrder(a.id, b.id)));
}

/** A shelf of its own, opened. */
export async function opened(documents: Documents): Promise<Collection> {
  const collection = shelf();
  await documents.open(collection);
  return collection;
}

/** One write to it. */
export const write = (id: string, body: Record<string, unknown> | null, tenant = 'a') => ({ tenant, id, body });
