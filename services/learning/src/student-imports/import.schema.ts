import { instant } from '@lyceum/contracts';
import { membersOf } from '@lyceum/service';
import { listOf, listQuery } from '@lyceum/web';
import { z } from 'zod';
import { courseId } from '../courses/course-id.ts';
import { mostRows } from './import.csv.ts';
import { importStatuses } from './import.state.ts';

const members = membersOf('import', 'student_import');

const count = z.int().min(0);

/** An import as the staff read it. */
export const importReply = z
  .object({
    ...members.first,
    status: z.enum(importStatuses).meta({
      description:
        'expired: it was not done within 7 days. cancelled: also where who asked for it is of the staff no more. What was done stays done.',
    }),
    source: z.string().meta({ description: 'csv or json.' }),
    requested_by: z.string().meta({ description: 'Id of the member.' }),
    rows: count.meta({ description: 'All rows.' }),
    processed: count.meta({ description: 'Rows that were worked on or left out.' }),
    invited: count.meta({ description: 'People who were invited.' }),
    enrolled: count.meta({ description: 'Enrollments that were given access.' }),
    unchanged: count.meta({ description: 'Enrollments that had this access already.' }),
    failed: count.meta({ description: 'Rows that were left out, or not enrolled everywhere: see their errors.' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'When access is to end, where that was said.' }),
    finished_at: z.iso.datetime().nullable(),
    ...members.last,
  })
  .meta({ id: 'StudentImport', description: 'Many people who are invited and enrolled, row by row.' });

/** Why a row was left out. */
const rowErrorReply = z
  .object({
    object: z.literal('row_error'),
    line: count.meta({ description: 'Of the file; of JSON the number of the row, from 1.' }),
    code: z.string().meta({ description: 'What is wrong, in a word.' }),
    reason: z.string().meta({ description: 'The same for people.' }),
    course_id: z.string().nullable().meta({ description: 'The course that it is about.' }),
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'RowError', description: 'Why a row of an import was left out; never what stands in it.' });

/** The list of them. */
export const rowErrorList = listOf(rowErrorReply);

/** The query of that list. */
export const rowErrorQuery = z.strictObject(listQuery);

/** Rows as JSON. What is wrong with one of them is an error of that row. */
export const importBody = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          email: z.string().max(1_000),
          name: z.string().max(1_000).default(''),
          course_ids: z.array(z.string().max(100)).max(100).default([]),
        }),
      )
      .min(1)
      .max(mostRows)
      .meta({ description: 'At most 5,000.' }),
  })
  .meta({
    id: 'ImportStudents',
    description: 'What is wrong with a row is an error of that row, and stops no other.',
    example: { rows: [{ email: 'ada@example.org', name: 'Ada Byron', course_ids: [] }] },
  });

const courseIds = z
  .string()
  .max(20 * 44)
  .transform((list) => list.split(','))
  .pipe(z.array(courseId).min(1).max(20))
  .meta({ description: 'At most 20 ids, separated by commas: of rows that name no courses.' });

/** What holds for all rows. */
export const importQuery = z.strictObject({
  course_ids: courseIds.optional(),
  expires_at: instant().optional().meta({ description: 'When access ends; as each course says without it.' }),
});

/** An import of a path. */
export const importParams = z.object({
  import: z
    .string()
    .regex(/^import_[0-9a-f-]{36}$/)
    .meta({ description: 'Id of the import.' }),
});
