/** A piece of a text, as the catalog's rich text has it. */
export interface Span {
  readonly text?: unknown;
  readonly marks?: unknown;
  readonly link?: unknown;
}

/** What a block of a rich text may hold; which of it depends on its type. A block of an unknown type has nothing to say. */
export interface Block {
  readonly type?: unknown;
  readonly level?: unknown;
  readonly ordered?: unknown;
  readonly text?: unknown;
  readonly items?: unknown;
  readonly code?: unknown;
  readonly language?: unknown;
}

/** The objects of a list; nothing of what is no list. */
export const listOf = <T>(value: unknown): readonly T[] =>
  Array.isArray(value) ? value.filter((each) => each !== null && typeof each === 'object') : [];
