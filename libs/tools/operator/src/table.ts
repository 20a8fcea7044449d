import type { Json } from './operator-client.ts';

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(shown).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Control characters in what strangers wrote must not reach the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');

/** Rows under their column names, aligned; a sentence when there are none. */
export function table(rows: readonly Json[], columns: readonly string[]): readonly string[] {
  if (rows.length === 0) return ['There are none.'];
  const lines = [columns, ...rows.map((row) => columns.map((column) => printable(shown(row[column]))))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => Array.from(line[at]!).length)));
  return lines.map((line) =>
    line
      .map((cell, at) => cell + ' '.repeat(widths[at]! - Array.from(cell).length))
      .join('  ')
      .trimEnd(),
  );
}

/** The members of one thing, one to a line. */
export function sheet(thing: Json): readonly string[] {
  const named = Object.entries(thing).filter(([name, value]) => name !== 'object' && shown(value) !== '');
  return table(
    named.map(([name, value]) => ({ name, value })),
    ['name', 'value'],
  ).slice(1);
}
