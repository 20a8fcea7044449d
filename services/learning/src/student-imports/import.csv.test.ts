import { describe, expect, test } from '@jest/globals';
import { Problem } from '@lyceum/web';
import fc from 'fast-check';
import { csvRows, mostRows } from './import.csv.ts';
import { packRows } from './import.kept.ts';
import { judgeRows } from './import.rows.ts';

const course = 'course_0195a3c2-7d10-7abc-8def-0123456789ab';
const other = 'course_0195a3c2-7d10-7abc-8def-0123456789ac';

const read = (text: string | Uint8Array) => csvRows(typeof text === 'string' ? Buffer.from(text) : text);
const judged = (text: string, courses: readonly string[] = []) => judgeRows(read(text), courses);

/** The codes of the refusal of a file. */
function refusalOf(file: string | Uint8Array): string | undefined {
  try {
    read(file);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.details?.[0]?.code ?? error.code;
  }
}

describe('a CSV file of students', () => {
  const ada = { email: 'ada@example.org', name: 'Ada Byron' };

  test.each([
    ['commas', 'email,name\nada@example.org,Ada Byron'],
    ['semicolons', 'email;name\nada@example.org;Ada Byron'],
    ['tabs', 'email\tname\nada@example.org\tAda Byron'],
    ['a byte order mark', '\ufeffemail,name\nada@example.org,Ada Byron\n'],
    ['line breaks of Windows', 'email,name\r\nada@example.org,Ada Byron\r\n'],
    ['line breaks of old Macs', 'email,name\rada@example.org,Ada Byron\r'],
    ['quotes', '"email","name"\n"ada@example.org","Ada Byron"'],
    ['other names of columns, in any case', 'Full Name,E-Mail\nAda Byron,ada@example.org'],
    ['spaces around', ' email , name \n  ada@example.org  ,  Ada Byron '],
    ['columns that mean nothing here', 'id,email,=cmd,name\n7,ada@example.org,x,Ada Byron'],
    ['empty lines and cells', 'email,name\n\nada@example.org,Ada Byron\n,\n\n'],
  ])('may have %s', (_, text) => {
    expect(judged(text)).toMatchObject({ rows: [ada], refused: [] });
  });

  test('RFC 4180 §2: quotes hold separators, quotes and line breaks', () => {
    const [row] = read('email,name\n"ada@example.org","Byron, ""Ada""\nof Lovelace"');
    expect(row!.name).toBe('Byron, "Ada"\nof Lovelace');
  });

  test('names several courses in a cell, and gets those of the whole where a row names none', () => {
    const { rows } = judged(
      `email,course_ids\na@example.org,${course} ${other}\nb@example.org,${other}|${other}\nc@example.org,`,
      [course],
    );
    expect(rows.map(({ course_ids }) => course_ids)).toEqual([[course, other], [other], [course]]);
  });

  test('tells the line of each row that is at fault, and nothing of what stands in it', () => {
    const text = [
      'email,name,course_ids',
      'ada@example.org,"Ada\nByron",',
      '',
      'nobody,,',
      ',Bob,',
      'c@example.org,,course_7',
      ' ADA@example.org,,',
      `d@example.org,,${Array.from({ length: 21 }, () => course).join(' ')}`,
      'e@example.org,,,,extra',
      `f@example.org,${'x'.repeat(201)},`,
      'g@example.org,ok,',
    ].join('\n');
    const { rows, refused } = judged(text);
    // The first row of the address was left out, so the second counts.
    expect(rows.map(({ line, email }) => [line, email])).toEqual([
      [8, 'ADA@example.org'],
      [12, 'g@example.org'],
    ]);
    expect(refused).toEqual([
      { line: 3, code: 'name_invalid' },
      { line: 5, code: 'email_invalid' },
      { line: 6, code: 'email_missing' },
      { line: 7, code: 'course_invalid' },
      { line: 9, code: 'too_many_courses' },
      { line: 10, code: 'too_many_cells' },
      { line: 11, code: 'name_invalid' },
    ]);
  });

  test('the first row of an address counts, in whatever spelling it comes again', () => {
    const { rows, refused } = judged('email\nada@example.org\nADA@EXAMPLE.ORG\n ada@example.org\n');
    expect([rows.length, refused]).toEqual([1, [3, 4].map((line) => ({ line, code: 'row_repeated' }))]);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'file_empty'],
    ['a header alone', 'email,name\n', 'file_empty'],
    ['no column of addresses', 'name\nAda', 'email_column_missing'],
    ['an address where the header is missing', 'ada@example.org,Ada', 'email_column_missing'],
    ['two columns of addresses', 'email,E-Mail\na@b.org,c@d.org', 'column_repeated'],
    ['a quote that stays open', 'email\n"ada@example.org\nb@example.org', 'csv_quote_not_closed'],
    ['text behind a quote', 'email,name\n"ada"x,y', 'csv_invalid_closing_quote'],
    ['a record without end', `email,name\na@b.org,${'x'.repeat(5_000)}`, 'csv_max_record_size'],
    ['bytes that are no UTF-8', Buffer.from('email\nj\xf6rg@example.org', 'latin1'), 'invalid_request'],
    ['UTF-16', Buffer.from('\ufeffemail\nada@example.org', 'utf16le'), 'invalid_request'],
    ['a ZIP archive', Buffer.from('504b0304ff00fe', 'hex'), 'invalid_request'],
    ['a row too many', `email\n${'a@b.org\n'.repeat(mostRows + 1)}`, 'too_many_rows'],
  ])('is refused as a whole with %s', (_, file, code) => expect(refusalOf(file)).toBe(code));

  test('a refusal quotes nothing of the file', () => {
    try {
      read('email,name\nada@example.org,"secret"x');
      throw new Error('it was read');
    } catch (error) {
      expect(`${String(error)} ${JSON.stringify((error as Problem).details)}`).not.toMatch(/secret|ada/);
    }
  });

  test('whatever the bytes are, it is read or refused', () => {
    const nasty = fc.constantFrom(
      'email',
      ',',
      ';',
      '\t',
      '"',
      '\n',
      '\r',
      '\r\n',
      '\0',
      '\ufeff',
      '=',
      '__proto__',
      'a@b.org',
    );
    const text = fc
      .array(fc.oneof(nasty, fc.string({ unit: 'grapheme' })), { maxLength: 60 })
      .map((parts) => parts.join(''));
    const bytes = fc.oneof(
      text.map((part) => Buffer.from(`email${part}`)),
      fc.uint8Array({ maxLength: 200 }).map((part) => Buffer.concat([Buffer.from('email,name\n'), part])),
    );
    fc.assert(
      fc.property(bytes, (file) => {
        const code = refusalOf(file);
        if (code !== undefined) return expect(code).toMatch(/^[a-z_]+$/);
        const given = read(file);
        const { rows, refused } = judgeRows(given, []);
        expect(rows.length + refused.length).toBe(given.length);
      }),
    );
  });

  test('5,000 rows are read and judged', () => {
    const text = `email,name,course_ids\n${Array.from({ length: mostRows }, (_, at) => `someone${at}@example.org,"Name, ${at}",${course}`).join('\n')}`;
    expect(judged(text).rows).toHaveLength(mostRows);
  });

  test('413 for rows that no commit can hold', () => {
    const noise = (at: number) =>
      Buffer.from(fc.sample(fc.uint8Array({ minLength: 120, maxLength: 120 }), { numRuns: 1, seed: at })[0]!).toString(
        'base64',
      );
    const rows = Array.from({ length: 5_000 }, (_, at) => ({
      line: at,
      email: `${at}@example.org`,
      name: noise(at),
      course_ids: [],
    }));
    expect(() => packRows(rows)).toThrow(/split/);
  });
});
