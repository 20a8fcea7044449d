import type { Bindable } from '@lyceum/sqlite';
import { isId } from '../collection/declaration.ts';
import type { Collection, Condition, Query, Scalar } from '../port.ts';
import { type Tables, columnOf, foldedOf, indexOf, primaryIndexOf } from './schema.ts';
import { foldText } from '../collection/text.ts';

/** A piece of SQL with the values of its parameters. Values are never part of the text. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Bindable[];
}

const sql = (text: string, ...values: readonly Bindable[]): Sql => ({ text, values });

const bindable = (value: Scalar): Bindable => (typeof value === 'boolean' ? Number(value) : value);

function membership(column: string, list: readonly Scalar[]): Sql {
  const values = JSON.stringify(list.filter((value) => value !== null).map(bindable));
  const isNull = list.includes(null) ? ` OR ${column} IS NULL` : '';
  return sql(`(${column} IN (SELECT value FROM json_each(?))${isNull})`, values);
}

function range(column: string, limits: Extract<Condition, { from?: unknown }>): Sql {
  const operators = [
    ['>', limits.above],
    ['>=', limits.from],
    ['<', limits.below],
    ['<=', limits.to],
  ] as const;
  const given = operators.flatMap(([operator, value]) => (value === undefined ? [] : [{ operator, value }]));
  const text = given.map(({ operator }) => `${column} ${operator} ?`).join(' AND ');
  return sql(text, ...given.map(({ value }) => value));
}

/** The members of sets that hold a value. */
export const membersSql = (
  { sets }: Tables,
  tenant: string,
  { field, has }: Extract<Condition, { has: string }>,
): Sql => sql(`FROM ${sets} AS members WHERE tenant = ? AND field = ? AND value = ?`, tenant, field, has);

/** A condition on each document that is read. */
export function conditionSql(collection: Collection, tables: Tables, tenant: string, condition: Condition): Sql {
  const column = isId(collection, condition.field) ? 'id' : columnOf(condition.field);
  if ('has' in condition) {
    const { text, values } = membersSql(tables, tenant, condition);
    return sql(`EXISTS (SELECT 1 ${text} AND members.id = documents.id)`, ...values);
  }
  if ('is' in condition) return sql(`${column} IS ?`, bindable(condition.is));
  if ('in' in condition) return membership(column, condition.in);
  if ('contains' in condition) return sql(`instr(${foldedOf(condition.field)}, ?) > 0`, foldText(condition.contains));
  return range(column, condition);
}

/** One stretch of the order: documents without a sort value are a stretch of their own, so that each is one index range. */
interface Stretch {
  readonly where: readonly Sql[];
  readonly order: string;
}

function stretchesOf(collection: Collection, { sort, after }: Query): readonly Stretch[] {
  const direction = sort?.descending ? 'DESC' : 'ASC';
  const beyond = sort?.descending ? '<' : '>';
  const afterId = after ? [sql(`id ${beyond} ?`, after.id)] : [];
  const byId = `id ${direction}`;
  if (!sort || isId(collection, sort.field)) return [{ where: afterId, order: byId }];
  const column = columnOf(sort.field);
  const nulls = (where: readonly Sql[]): Stretch => ({ where: [sql(`${column} IS NULL`), ...where], order: byId });
  const values = (where: Sql): Stretch => ({ where: [where], order: `${column} ${direction}, ${byId}` });
  const allValues = values(sql(`${column} IS NOT NULL`));
  if (!after) return sort.descending ? [allValues, nulls([])] : [nulls([]), allValues];
  if (after.value === null) return sort.descending ? [nulls(afterId)] : [nulls(afterId), allValues];
  const rest = values(
    sql(`${column} ${beyond}= ? AND (${column} ${beyond} ? OR id ${beyond} ?)`, after.value, after.value, after.id),
  );
  return sort.descending ? [rest, nulls([])] : [rest];
}

/** A condition by whose index the documents are looked up. */
function lookupSql(collection: Collection, tables: Tables, tenant: string, condition: Condition): Sql {
  if (!('has' in condition)) return conditionSql(collection, tables, tenant, condition);
  const { text, values } = membersSql(tables, tenant, condition);
  return sql(`id IN (SELECT id ${text})`, ...values);
}

/** The index that a condition's documents are found by. */
export const indexFor = (collection: Collection, tables: Tables, condition: Condition): string =>
  'has' in condition || isId(collection, condition.field) ? primaryIndexOf(tables) : indexOf(tables, condition.field);

/** The index in which documents stand in the order of a query; by id also those that have one value of a field. */
function indexInOrder(collection: Collection, tables: Tables, { where = [], sort }: Query): string {
  const field = sort?.field ?? 'id';
  if (sort && !isId(collection, field)) return indexOf(tables, field);
  const isNamed = where.some(
    (condition) => isId(collection, condition.field) && ('is' in condition || 'in' in condition),
  );
  const value = isNamed ? undefined : where.find((condition) => 'is' in condition);
  return value ? indexFor(collection, tables, value) : primaryIndexOf(tables);
}

/**
 * The selects whose rows, one after the other, are the answer to a query. The last parameter of each is the number of
 * rows wanted. Nulls come first ascending and last descending. `lookup`: the condition by whose index documents are looked
 * up, to be sorted then; without it they are read in their order. The engine is told the index, because it would guess.
 */
export function selectsOf(
  collection: Collection,
  tables: Tables,
  tenant: string,
  query: Query,
  lookup: Condition | undefined,
): readonly Sql[] {
  const conditions = (query.where ?? []).map((condition) =>
    (condition === lookup ? lookupSql : conditionSql)(collection, tables, tenant, condition),
  );
  const index = lookup ? indexFor(collection, tables, lookup) : indexInOrder(collection, tables, query);
  const from = `${tables.documents} AS documents INDEXED BY ${index}`;
  return stretchesOf(collection, query).map(({ where, order }) => {
    const all = [sql('tenant = ?', tenant), ...conditions, ...where];
    const text = all.map((each) => `(${each.text})`).join(' AND ');
    return {
      text: `SELECT id, body FROM ${from} WHERE ${text} ORDER BY ${order} LIMIT ?`,
      values: all.flatMap((each) => each.values),
    };
  });
}
