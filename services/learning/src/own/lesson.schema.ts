import { z } from 'zod';
import { enrollmentId, progressReply } from '../enrollments/enrollment.schema.ts';

/** How a lesson stands with a member. */
const lessonStates = ['locked', 'available', 'started', 'completed'] as const;

const lesson = {
  id: z.string().meta({ example: 'lesson_0195a3c2-7d10-7abc-8def-0123456789ab' }),
  object: z.literal('learnt_lesson'),
  enrollment_id: z.string(),
  course_id: z.string(),
  title: z.string(),
  type: z.string(),
  duration_s: z.int(),
  required: z.boolean(),
  state: z.enum(lessonStates).meta({ description: 'locked = not open now; what was completed is never locked.' }),
  position_s: z.int().nullable().meta({ description: 'Where in the lesson you were last, seconds.' }),
  started_at: z.iso.datetime().nullable(),
  completed_at: z.iso.datetime().nullable(),
  view: z.enum(['anonymous', 'member', 'staff']).meta({ description: 'How much of it this is.' }),
};

/** A lesson as its learner reads it in the list. */
export const learntLessonReply = z
  .object(lesson)
  .meta({ id: 'LearntLesson', description: 'A published lesson of your course, and how you stand with it.' });

/** A lesson after its learner did something, with what that made of the enrollment. */
export const lessonDoneReply = z
  .object({ ...lesson, progress: progressReply })
  .meta({ id: 'LessonDone', description: 'A lesson of your course, and how far you have got in the course.' });

/** The lesson of a path. */
export const ownLessonParams = z.object({
  enrollment: enrollmentId,
  lesson: z.string().min(1).max(64).meta({ description: 'Id of the lesson.' }),
});

/** The body that says what a learner does. */
export const learnBody = z
  .strictObject({
    state: z.enum(['started', 'completed']).meta({ description: 'What is completed stays completed.' }),
    position_s: z
      .int()
      .min(0)
      .max(30 * 86_400)
      .optional()
      .meta({
        description:
          'Where in the lesson you are, seconds. Kept when it has moved by half a minute, or by a thirtieth of a longer lesson: send it as often as you like.',
      }),
  })
  .meta({ id: 'Learn', example: { state: 'started', position_s: 95 } });
