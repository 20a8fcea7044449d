import { collectionKey, isId, kindOf } from './declaration.ts';
import type { FieldValue } from './fields.ts';
import { type Collection, type Condition, type FieldKind, InvalidQuery, type Query, type Scalar } from '../port.ts';
import { compareText, foldText, wellFormed } from './text.ts';

type Range = Extract<Condition, { from?: unknown }>;

const fits = (kind: FieldKind, value: Scalar): boolean =>
  value === null || (kind === 'text' ? typeof value === 'string' : typeof value === kind && !Number.isNaN(value));

const bounds = (range: Range): (string | number)[] =>
  [range.above, range.from, range.below, range.to].filter((bound) => bound !== undefined);

function conditionFits(kind: FieldKind, condition: Condition): boolean {
  if ('has' in condition) return kind === 'set' && typeof condition.has === 'string';
  if (kind === 'set') return false;
  if ('is' in condition) return fits(kind, condition.is);
  if ('in' in condition) return condition.in.every((value) => fits(kind, value));
  if ('contains' in condition) return kind === 'text' && typeof condition.contains === 'string';
  const limits = bounds(condition);
  return kind !== 'boolean' && limits.length > 0 && limits.every((limit) => fits(kind, limit));
}

const clean = (value: unknown): unknown => (typeof value === 'string' ? wellFormed(value) : value);

const cleanCondition = (condition: Condition): Condition =>
  Object.fromEntries(
    Object.entries(condition).map(([word, value]) => [word, Array.isArray(value) ? value.map(clean) : clean(value)]),
  ) as unknown as Condition;

/** Ids are not kept folded, so `contains` does not look into them. */
const searchesIds = (collection: Collection, condition: Condition): boolean =>
  'contains' in condition && isId(collection, condition.field);

/**
 * The query as engines run it: its texts well-formed, like the stored ones. Throws `InvalidQuery` when it names an
 * undeclared field, a value of another kind, or a limit outside 1 to 200.
 */
export function checkedQuery(collection: Collection, query: Query): Query {
  const key = collectionKey(collection);
  if (!Number.isSafeInteger(query.limit) || query.limit < 1 || query.limit > 200)
    throw new InvalidQuery('the limit of a query is a whole number from 1 to 200');
  for (const condition of query.where ?? [])
    if (!conditionFits(kindOf(collection, condition.field), condition) || searchesIds(collection, condition))
      throw new InvalidQuery(`the condition on "${condition.field}" of ${key} does not fit its kind`);
  checkSort(collection, query);
  return query.where ? { ...query, where: query.where.map(cleanCondition) } : query;
}

function checkSort(collection: Collection, { sort, after }: Query): void {
  if (!sort) return;
  const key = collectionKey(collection);
  const kind = kindOf(collection, sort.field);
  if (kind !== 'text' && kind !== 'number')
    throw new InvalidQuery(`${key} can only be sorted by text and number, not by "${sort.field}"`);
  if (after && !fits(kind, after.value))
    throw new InvalidQuery(`the page of ${key} begins after a value that is not a ${kind}`);
}

/** Orders two values of one field: null first, numbers by size, texts by code point. */
export function compareValues(a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return Number(a) - Number(b);
}

function inRange(value: FieldValue, range: Range): boolean {
  if (value === null) return false;
  if (range.above !== undefined && compareValues(value, range.above) <= 0) return false;
  if (range.from !== undefined && compareValues(value, range.from) < 0) return false;
  if (range.below !== undefined && compareValues(value, range.below) >= 0) return false;
  return range.to === undefined || compareValues(value, range.to) <= 0;
}

/** Whether a field's value meets a condition. This is what the words of the query language mean; engines must agree. */
export function meets(value: FieldValue, condition: Condition): boolean {
  if ('has' in condition) return Array.isArray(value) && value.includes(condition.has);
  if ('is' in condition) return value === condition.is;
  if ('in' in condition) return condition.in.some((each) => value === each);
  if ('contains' in condition)
    return typeof value === 'string' && foldText(value).includes(foldText(condition.contains));
  return inRange(value, condition);
}
