import { isObject } from '@lyceum/kernel';

/** A filter as the log's adapter for MongoDB-wire servers asks: values, `$in`, `$gte` and `$lte` of fields and of parts of lists. */
export type RecordFilter = Readonly<Record<string, unknown>>;

export type StoredRecord = Readonly<Record<string, unknown>>;

/** The operators that are simulated; a bound is of the same type as what it bounds. */
const operators: Readonly<Record<string, (value: unknown, bound: unknown) => boolean>> = {
  $in: (value, list) => Array.isArray(list) && list.includes(value),
  $gte: (value, bound) => order(value, bound) >= 0,
  $lte: (value, bound) => order(value, bound) <= 0,
  $gt: (value, bound) => order(value, bound) > 0,
  $lt: (value, bound) => order(value, bound) < 0,
};

/** NaN for what has no order: it meets no bound. */
function order(value: unknown, bound: unknown): number {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound;
  if (typeof value !== 'string' || typeof bound !== 'string') return NaN;
  return value === bound ? 0 : value < bound ? -1 : 1;
}

/** Whether a record meets all conditions. Throws for a condition that is not simulated. */
export const meets = (record: StoredRecord, filter: RecordFilter): boolean => {
  for (const field in filter) if (!valuesOf(record, field).some((value) => holds(value, filter[field]))) return false;
  return true;
};

function valuesOf(record: StoredRecord, field: string): readonly unknown[] {
  const [name = '', part] = field.split('.');
  const value = record[name];
  if (part === undefined || !Array.isArray(value)) return [value];
  return value.map((each: StoredRecord) => each[part]);
}

function holds(value: unknown, wanted: unknown): boolean {
  if (!isObject(wanted)) return value === wanted;
  return Object.entries(wanted).every(([name, bound]) => {
    const operator = operators[name];
    if (!operator) throw new Error(`${name} is not simulated`);
    return bound === undefined || operator(value, bound);
  });
}
