import { foldEmail, line } from '@lyceum/contracts';
import { z } from 'zod';
import { courseId } from '../courses/course-id.ts';
import type { RowError } from './import.events.ts';

/** A row as somebody sent it. `line`: of the file; of JSON, its number, the first is 1. */
export interface GivenRow {
  readonly line: number;
  readonly email: string;
  readonly name: string;
  readonly course_ids: readonly string[];
  /** It has more cells than the header. */
  readonly isTooLong?: boolean;
}

/** A row that can be worked on. */
export interface ImportRow {
  readonly line: number;
  readonly email: string;
  readonly name?: string;
  readonly course_ids: readonly string[];
}

/** What can be wrong with a row before anything is done. */
export const rowCodes = {
  too_many_cells: 'The row has more cells than the header',
  email_missing: 'The row has no e-mail address',
  email_invalid: 'This is no e-mail address',
  name_invalid: 'A name has at most 200 characters and no control characters',
  course_invalid: 'The id of a course begins with course_',
  too_many_courses: 'A row names at most 20 courses',
  row_repeated: 'A row above has this e-mail address',
} as const;

/** The code of such a fault. */
type RowCode = keyof typeof rowCodes;

const email = z.email().max(254);
const name = line(1, 200);
const mostCourses = 20;

/** The first fault of a row; undefined for a sound one. */
function faultOf(row: GivenRow): RowCode | undefined {
  if (row.isTooLong) return 'too_many_cells';
  if (row.email === '') return 'email_missing';
  if (!email.safeParse(row.email).success) return 'email_invalid';
  if (row.name !== '' && !name.safeParse(row.name).success) return 'name_invalid';
  if (row.course_ids.length > mostCourses) return 'too_many_courses';
  return row.course_ids.every((id) => courseId.safeParse(id).success) ? undefined : 'course_invalid';
}

/**
 * The rows that can be worked on, and why others cannot: never what stands in them. A row without courses gets `courses`. Of
 * rows with the same address, in any spelling, the first counts.
 */
export function judgeRows(
  given: readonly GivenRow[],
  courses: readonly string[],
): { readonly rows: readonly ImportRow[]; readonly refused: readonly RowError[] } {
  const rows: ImportRow[] = [];
  const refused: RowError[] = [];
  const seen = new Set<string>();
  for (const row of given) {
    const code = faultOf(row) ?? (seen.has(foldEmail(row.email)) ? 'row_repeated' : undefined);
    if (code !== undefined) {
      refused.push({ line: row.line, code });
      continue;
    }
    seen.add(foldEmail(row.email));
    const course_ids = [...new Set(row.course_ids.length > 0 ? row.course_ids : courses)];
    rows.push({ line: row.line, email: row.email, ...(row.name === '' ? {} : { name: row.name }), course_ids });
  }
  return { rows, refused };
}
