import { membersOf, staff } from '@lyceum/service';
import { z } from 'zod';
import { enrollmentId, enrollmentReply } from '../enrollments/enrollment.schema.ts';

const { created_at, updated_at, view } = membersOf('account', 'student').last;

/** A student as the staff read it. */
export const studentReply = z
  .object({
    id: z.string().meta({ description: 'Id of the member.', example: 'account_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    object: z.literal('student'),
    name: z.string().nullable().meta(staff),
    email: z
      .string()
      .nullable()
      .meta({ ...staff, description: 'For lecturers only its beginning and its domain.' }),
    tags: z.array(z.string()).meta({ ...staff, description: 'Those of the member.' }),
    enrollments: z
      .array(enrollmentReply)
      .meta({ ...staff, description: 'At most 200, the oldest first; for lecturers those of their own courses.' }),
    created_at,
    updated_at,
    view,
  })
  .meta({ id: 'Student', description: 'A member with an enrollment.' });

const student = z.string().min(1).max(64).meta({ description: 'Id of the member.' });

/** The student of a path. */
export const studentParams = z.object({ student });

/** The enrollment of a path. */
export const studentEnrollmentParams = z.object({ student, enrollment: enrollmentId });
