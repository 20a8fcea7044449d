import { membersOf, staff } from '@lyceum/service';
import { z } from 'zod';
import { courseId } from '../courses/course-id.ts';
import { accessEnd, accessMembers, grantsReply } from '../grants/grant.schema.ts';
import { enrollmentStates } from './enrollment.seating.ts';

const members = membersOf('enrollment', 'enrollment');

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
    ...accessMembers,
    state: z.enum(enrollmentStates).meta({
      description:
        'active = there is access now. awaiting_seat = there is once a seat comes, which is decided in a moment; refused = there was none.',
    }),
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
    grants: grantsReply,
    ...members.last,
  })
  .meta({ id: 'Enrollment', description: 'The access of one member to one course, and what was learnt there.' });

/** An enrollment of a path. */
export const enrollmentId = z
  .string()
  .regex(/^enrollment_[0-9a-f-]{36}$/)
  .meta({ description: 'Id of the enrollment.' });

/** The body by which the staff enroll a member. */
export const enrollBody = z.strictObject({ course_id: courseId, expires_at: accessEnd.optional() }).meta({
  id: 'EnrollStudent',
  description: 'Without `expires_at` access lasts as long as the course says.',
  example: { course_id: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' },
});

/** The body by which a member enrolls alone. */
export const enrollOwnBody = z
  .strictObject({ course_id: courseId })
  .meta({ id: 'Enroll', example: { course_id: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' } });
