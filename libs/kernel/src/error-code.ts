/** The `code` of an error, as Node, drivers and SQLite give it; undefined for anything that has none. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
