import type { Condition } from '@lyceum/documents';
import { folded } from './unicode-fold.ts';

/** A letter of a script that puts no space between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

const words = new RegExp(`${unspaced.source}+|(?:(?!${unspaced.source})[\\p{Letter}\\p{Number}])+`, 'gu');

const wordsOf = (text: string): readonly string[] => folded(text).match(words) ?? [];

/** A word as it stands in a searched text: a space before it, or before each letter where any may begin a word. */
const placed = (word: string): string => (unspaced.test(word) ? [...word] : [word]).map((part) => ` ${part}`).join('');

/** A text as it is searched: letters without marks, lower case, a space before every word. */
export const searchable = (texts: readonly (string | null)[]): string => wordsOf(texts.join(' ')).map(placed).join('');

/** What a search asks of a `searchable` field: every word begins one of its words. Text without a word finds nothing. */
export function searchConditions(field: string, q: string | undefined): readonly Condition[] {
  if (q === undefined) return [];
  const asked = [...new Set(wordsOf(q))];
  return asked.length === 0 ? [{ field, in: [] }] : asked.map((word) => ({ field, contains: placed(word) }));
}
