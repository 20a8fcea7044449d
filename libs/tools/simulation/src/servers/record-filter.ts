/** A filter as the log's adapter for MongoDB-wire servers asks: values, `$in`, `$gte` and `$lte` of fields and of parts of lists. */
export type RecordFilter = Readonly<Record<string, unknown>>;

export type StoredRecord = Readonly<Record<string, unknown>>;

interface Operators {
  readonly $in?: readonly unknown[];
  readonly $gte?: never;
  readonly $lte?: never;
  readonly $gt?: never;
  readonly $lt?: never;
}

/** Whether a record meets all conditions. Throws for a condition that is not simulated. */
export const meets = (record: StoredRecord, filter: RecordFilter): boolean => {
  for (const field in filter) if (!valuesOf(record, field).some((value) => holds(value, filter[field]))) return false;
  return true;
};

function valuesOf(record: StoredRecord, field: string): readonly unknown[] {
  const [name, part] = field.split('.') as [string, string?];
  if (part === undefined) return [record[name]];
  return (record[name] as readonly StoredRecord[]).map((each) => each[part]);
}

function holds(value: unknown, wanted: unknown): boolean {
  if (wanted === null || typeof wanted !== 'object') return value === wanted;
  const known = ['$in', '$gte', '$lte', '$gt', '$lt'];
  for (const operator in wanted) if (!known.includes(operator)) throw new Error(`${operator} is not simulated`);
  const { $in, $gte, $lte, $gt, $lt } = wanted as Operators;
  if ($in && !$in.includes(value)) return false;
  if ($gte !== undefined && !((value as never) >= $gte)) return false;
  if ($lte !== undefined && !((value as never) <= $lte)) return false;
  if ($gt !== undefined && !((value as never) > $gt)) return false;
  return $lt === undefined || (value as never) < $lt;
}
