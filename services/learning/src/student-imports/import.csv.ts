import { Problem } from '@lyceum/web';
import { CsvError, parse } from 'csv-parse/sync';
import type { GivenRow } from './import.rows.ts';

/** Rows that one import may have. */
export const mostRows = 5_000;

/** Characters of one record: twenty courses, a name and an address have fewer. */
const longestRecord = 4_000;

const refusal = (message: string, code: string, path = 'file'): Problem =>
  new Problem('validation_failed', message, { details: [{ path, code, message }] });

/** Names of columns, as people write them. Other columns are passed over. */
const columns: Readonly<Record<string, 'email' | 'name' | 'course_ids'>> = {
  email: 'email',
  'e-mail': 'email',
  email_address: 'email',
  name: 'name',
  full_name: 'name',
  course_ids: 'course_ids',
  course_id: 'course_ids',
};

/** The text of a file; a byte order mark is passed over. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('invalid_request', 'The file is not UTF-8: save it as “CSV UTF-8”', { cause });
  }
}

/** What separates cells: the spreadsheets of half of Europe write semicolons. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((each) => [each, header.split(each).length] as const);
  return counts.reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

interface CsvRecord {
  readonly record: readonly string[];
  /** The line on which it ends. */
  readonly line: number;
}

function recordsOf(text: string): readonly CsvRecord[] {
  const options = {
    delimiter: delimiterOf(text),
    info: true,
    max_record_size: longestRecord,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
    // One more than there may be, to know that there are too many.
    to: mostRows + 2,
  } as const;
  try {
    const found = parse(text, options) as unknown as readonly {
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }[];
    return found.map(({ record, info: { lines } }) => ({ record, line: lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Its message quotes the file.
    const line = Number(Reflect.get(error, 'lines'));
    throw refusal(`The file is no CSV from line ${line} on`, error.code.toLowerCase(), `line ${line}`);
  }
}

/** Which cell is which; throws the problem when the header does not say. */
function cellsOf(header: readonly string[]): ReadonlyMap<'email' | 'name' | 'course_ids', number> {
  const found = new Map<'email' | 'name' | 'course_ids', number>();
  for (const [index, cell] of header.entries()) {
    const column = columns[cell.toLowerCase().replaceAll(/\s+/g, '_')];
    if (column === undefined) continue;
    if (found.has(column)) throw refusal(`Two columns say ${column}`, 'column_repeated', 'line 1');
    found.set(column, index);
  }
  if (!found.has('email')) throw refusal('The first line must name a column email', 'email_column_missing', 'line 1');
  return found;
}

const split = (cell: string): readonly string[] => cell.split(/[\s,;|]+/).filter((id) => id !== '');

/**
 * The rows of a CSV file with a header: commas, semicolons or tabs, any line breaks, quotes as in RFC 4180. Several courses
 * of a row stand in one cell, separated by spaces or `|`. Throws the problem of a file that cannot be read as a whole.
 */
export function csvRows(bytes: Uint8Array): readonly GivenRow[] {
  const [header, ...records] = recordsOf(textOf(bytes));
  if (!header) throw refusal('The file is empty', 'file_empty');
  const cells = cellsOf(header.record);
  if (records.length === 0) throw refusal('The file has no rows', 'file_empty');
  if (records.length > mostRows) throw refusal(`An import has at most ${mostRows} rows`, 'too_many_rows');
  return records.map(({ record, line }) => {
    const cell = (column: 'email' | 'name' | 'course_ids'): string => record[cells.get(column) ?? -1] ?? '';
    const isTooLong = record.slice(header.record.length).some((each) => each !== '');
    return { line, email: cell('email'), name: cell('name'), course_ids: split(cell('course_ids')), isTooLong };
  });
}
