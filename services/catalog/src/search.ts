import type { Condition } from '@lyceum/documents';

const blank = (word: string): string => ` ${word}`;

/** A text as it is searched: letters without marks, lower case, a space before every word. */
export const searchable = (texts: readonly (string | null)[]): string => wordsOf(texts.join(' ')).map(blank).join('');

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .match(/[\p{Letter}\p{Number}]+/gu) ?? [];

/** What a search asks of a `searchable` field: every word begins one of its words. Text without a word finds nothing. */
export function searchConditions(field: string, q: string | undefined): readonly Condition[] {
  if (q === undefined) return [];
  const words = wordsOf(q);
  return words.length === 0 ? [{ field, in: [] }] : words.slice(0, 8).map((word) => ({ field, contains: blank(word) }));
}
