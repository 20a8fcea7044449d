import type { Filter, Sort } from 'mongodb';
import { isId } from '../collection/declaration.ts';
import { type DocumentRecord, storable } from './record.ts';
import type { Collection, Condition, Query } from '../port.ts';
import { foldText } from '../collection/text.ts';

type Where = Filter<DocumentRecord>;

/** One stretch of the order; its documents follow those of the stretch before. */
export interface Stretch {
  readonly filter: Where;
  readonly sort: Sort;
}

const literal = (text: string): string =>
  text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&').replaceAll('\0', String.raw`\x00`);

const pathOf = (collection: Collection, field: string): string => (isId(collection, field) ? 'id' : `f.${field}`);

function conditionOf(collection: Collection, condition: Condition): Where {
  const path = pathOf(collection, condition.field);
  if ('has' in condition) return { [path]: condition.has };
  if ('is' in condition) return { [path]: storable(condition.is) };
  if ('in' in condition) return { [path]: { $in: condition.in.map(storable) } };
  if ('contains' in condition) return { [`c.${condition.field}`]: { $regex: literal(foldText(condition.contains)) } };
  const limits = [
    ['$gt', condition.above],
    ['$gte', condition.from],
    ['$lt', condition.below],
    ['$lte', condition.to],
  ] as const;
  // A server compares only values of one kind, so null is never in a range.
  return { [path]: Object.fromEntries(limits.filter(([, value]) => value !== undefined)) };
}

/**
 * The reads whose documents, one after the other, are the answer to a query: each a range of one index. Documents without
 * a value to sort by are a stretch of their own, first ascending and last descending.
 */
export function stretchesOf(collection: Collection, tenant: string, { where = [], sort, after }: Query): Stretch[] {
  const conditions = [{ tenant }, ...where.map((condition) => conditionOf(collection, condition))];
  const order = sort?.descending ? -1 : 1;
  const beyond = sort?.descending ? '$lt' : '$gt';
  const stretch = (more: readonly Where[], sorted: Sort): Stretch => ({
    filter: { $and: [...conditions, ...more] },
    sort: sorted,
  });
  const afterId: Where[] = after ? [{ id: { [beyond]: after.id } }] : [];
  if (!sort || isId(collection, sort.field)) return [stretch(afterId, { id: order })];

  const path = pathOf(collection, sort.field);
  const nulls = (more: readonly Where[]): Stretch => stretch([{ [path]: null }, ...more], { id: order });
  const values = (...more: Where[]): Stretch => stretch(more, { [path]: order, id: order });
  const all = values({ [path]: { $ne: null } });
  if (!after) return sort.descending ? [all, nulls([])] : [nulls([]), all];
  if (after.value === null) return sort.descending ? [nulls(afterId)] : [nulls(afterId), all];
  const value = storable(after.value);
  const rest = values({ [path]: { [`${beyond}e`]: value } }, {
    $or: [{ [path]: { [beyond]: value } }, { id: { [beyond]: after.id } }],
  } as Where);
  return sort.descending ? [rest, nulls([])] : [rest];
}
