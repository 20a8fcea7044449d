/** Whether two values are the same JSON. Both went through one schema, which fixes the order of keys. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
