/** The keys of a record whose members are all declared. */
export const keysOf = <Known extends object>(record: Known) => Object.keys(record) as (keyof Known & string)[];

/** A record with a value for each of the keys. */
export const recordOf = <Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;
