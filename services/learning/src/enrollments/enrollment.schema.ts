import { instant } from '@lyceum/contracts';
import { membersOf, staff } from '@lyceum/service';
import { z } from 'zod';
import { courseId } from '../courses/course-id.ts';

const members = membersOf('enrollment', 'enrollment');

/** The states of an enrollment. */
export const enrollmentStates = ['active', 'lapsed'] as const;

const grantReply = z
  .object({
    source_type: z.string().meta({ description: 'staff, free, order_line or subscription.' }),
    source_id: z.string(),
    starts_at: z.iso.datetime().nullable().meta({ description: 'null = revoked before it came.' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'null = for ever.' }),
    state: z.enum(['live', 'expired', 'revoked']),
  })
  .meta({ id: 'Grant', description: 'One reason why there is access.' });

/** How far a member has got, as clients read it. */
export const progressReply = z
  .object({
    completed: z.int().meta({ description: 'Lessons that count and are completed.' }),
    required: z.int().meta({ description: 'Lessons that count: the required ones, or all where none is required.' }),
    percent: z.int().min(0).max(100).meta({ description: 'Rounded down.' }),
    last_activity_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Progress', description: 'How far a member has got in a course as it is now.' });

const nextLessonReply = z
  .object({ id: z.string(), title: z.string(), type: z.string(), duration_s: z.int() })
  .meta({ id: 'NextLesson', description: 'The lesson to go on with.' });

/** An enrollment as clients read it. */
export const enrollmentReply = z
  .object({
    ...members.first,
    member_id: z.string().meta(staff),
    course_id: z.string(),
    course_title: z.string().nullable().meta({ description: 'As it was shown last; null = never public.' }),
    state: z.enum(enrollmentStates).meta({ description: 'active = there is access now.' }),
    starts_at: z.iso.datetime().nullable().meta({ description: 'Since when; null without access.' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'Until when; null = for ever, or without access.' }),
    progress: progressReply,
    completed_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When all that the course asked for was completed; it stays when access ends.' }),
    certificate_id: z
      .string()
      .nullable()
      .meta({ description: 'Issued a moment after completion, where the course has one.' }),
    next_lesson: nextLessonReply
      .nullable()
      .optional()
      .meta({ description: 'The first that is open and not completed; null = none. Shown to the member only.' }),
    grants: z.array(grantReply).meta({ ...staff, description: 'Access is any of them that is live.' }),
    ...members.last,
  })
  .meta({ id: 'Enrollment', description: 'The access of one member to one course, and what was learnt there.' });

/** An enrollment of a path. */
export const enrollmentId = z
  .string()
  .regex(/^enrollment_[0-9a-f-]{36}$/)
  .meta({ description: 'Id of the enrollment.' });

/** When access is to end. */
export const accessEnd = instant().nullable().meta({ description: 'null = never.' });

/** The body by which the staff enroll a member. */
export const enrollBody = z.strictObject({ course_id: courseId, expires_at: accessEnd.optional() }).meta({
  id: 'EnrollStudent',
  description: 'Without `expires_at` access lasts as long as the course says.',
  example: { course_id: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' },
});

/** The body that extends what the staff gave. */
export const extendBody = z
  .strictObject({ expires_at: accessEnd })
  .meta({ id: 'ExtendEnrollment', example: { expires_at: '2027-06-30T22:00:00Z' } });

/** The body by which a member enrolls alone. */
export const enrollOwnBody = z
  .strictObject({ course_id: courseId })
  .meta({ id: 'Enroll', example: { course_id: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' } });
