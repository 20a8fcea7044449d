import { staff } from '@lyceum/service';
import { z } from 'zod';
import { courseId } from '../courses/course-id.ts';
import { enrollmentStates } from '../enrollments/enrollment.seating.ts';
import { accessEnd } from '../grants/grant.schema.ts';

const example = {
  member_ids: ['account_0195a3c2-7d10-7abc-8def-0123456789ab'],
  course_id: 'course_0195a3c2-7d10-7abc-8def-0123456789ab',
};

const body = {
  member_ids: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(500)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each member once')
    .meta({ description: 'Up to 500, each once.' }),
  course_id: courseId,
};

/** The body that enrolls many members. */
export const bulkEnrollBody = z.strictObject({ ...body, expires_at: accessEnd.optional() }).meta({
  id: 'BulkEnroll',
  description: 'Without `expires_at` access lasts as long as the course says.',
  example,
});

/** The body that takes back what the staff gave many members. */
export const bulkRevokeBody = z.strictObject(body).meta({ id: 'BulkRevoke', example });

const row = z
  .object({
    member_id: z.string(),
    outcome: z.enum(['done', 'waiting', 'unchanged', 'refused']).meta({
      description:
        'waiting: for a seat of the course. unchanged: it was so already. refused: `code` and `reason` say why.',
    }),
    enrollment_id: z.string().nullable().meta(staff),
    state: z
      .enum(enrollmentStates)
      .nullable()
      .meta({ ...staff, description: 'Whether there is access now.' }),
    code: z.string().nullable().meta({ description: 'A code of the error table.' }),
    reason: z.string().nullable(),
  })
  .meta({ id: 'BulkRow', description: 'What came of one member.' });

const count = z.int().min(0);

/** What came of all of them. */
export const bulkReply = z
  .object({
    object: z.literal('bulk_result'),
    course_id: z.string(),
    done: count,
    waiting: count,
    unchanged: count,
    refused: count,
    results: z.array(row).meta({ description: 'In the order of `member_ids`.' }),
    view: z.enum(['anonymous', 'member', 'staff']).meta({ description: 'How much of it this is.' }),
  })
  .meta({ id: 'BulkResult', description: 'What came of each member.' });
