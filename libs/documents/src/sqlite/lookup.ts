import type { Bindable } from '@lyceum/sqlite';
import { isId } from '../collection/declaration.ts';
import type { Collection, Condition, Query } from '../port.ts';
import { type Sql, conditionSql, indexFor, membersSql } from './query.ts';
import { type Tables, primaryIndexOf } from './schema.ts';

/** Documents that are looked up and sorted at most: about as dear as a page for which a large school is read in its order. */
const few = 1_000;

/** How many rows a select of this shape has. */
export type Counting = (text: string, ...values: readonly Bindable[]) => number;

/** Of a school's documents, the part that is looked up at most: those of a larger one are met soon in their order. */
const part = 1 / 4;

/**
 * The condition whose documents a query shall look up and sort, because they are few; undefined = none has few, and the
 * documents are read in their order until the page is full.
 *
 * The engine cannot tell: without statistics it guesses by the kind of condition alone, and its statistics are means over
 * all schools of a file, among which a single large one does not show. So the entries of an index are counted, for this
 * school and these values, no further than `few`.
 */
export function lookupOf(
  collection: Collection,
  tables: Tables,
  tenant: string,
  query: Query,
  count: Counting,
): Condition | undefined {
  const countTo = (most: number, { text, values }: Sql): number =>
    count(`SELECT count(*) AS entries FROM (SELECT 1 ${text} LIMIT ?)`, ...values, most);
  let found: Condition | undefined;
  let fewest = few + 1;
  for (const condition of lookupsOf(collection, query)) {
    const entries = countTo(fewest, entriesSql(collection, tables, tenant, condition));
    if (entries === fewest) continue;
    found = condition;
    fewest = entries;
    // No other would save much.
    if (entries <= query.limit) return found;
  }
  const whole = fewest / part;
  return found && countTo(whole, schoolSql(tables, tenant)) === whole ? found : undefined;
}

/** The conditions that an index answers better than the index of the order does. */
function lookupsOf(collection: Collection, { where = [], sort }: Query): readonly Condition[] {
  const order = sort?.field ?? 'id';
  const lookups = where.filter((condition) => condition.field !== order && isLookup(condition));
  const [only] = lookups;
  // By id, the documents of one value stand in their order.
  const isInOrder = only && 'is' in only && lookups.length === 1 && isId(collection, order);
  return isInOrder ? [] : lookups;
}

/** Null among several values is a search of its own. */
const isLookup = (condition: Condition): boolean =>
  !('contains' in condition) && !('in' in condition && condition.in.includes(null));

function entriesSql(collection: Collection, tables: Tables, tenant: string, condition: Condition): Sql {
  if ('has' in condition) return membersSql(tables, tenant, condition);
  const { text, values } = conditionSql(collection, tables, tenant, condition);
  const index = indexFor(collection, tables, condition);
  return {
    text: `FROM ${tables.documents} INDEXED BY ${index} WHERE tenant = ? AND ${text}`,
    values: [tenant, ...values],
  };
}

const schoolSql = (tables: Tables, tenant: string): Sql => ({
  text: `FROM ${tables.documents} INDEXED BY ${primaryIndexOf(tables)} WHERE tenant = ?`,
  values: [tenant],
});
