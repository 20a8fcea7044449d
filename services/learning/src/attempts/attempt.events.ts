import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const id = z.string();

/** The answer to one question: what was chosen, and what would have been right, by the ids of choices. */
const question = z.object({ id, chosen: z.array(id), right: z.array(id) });

/** The facts of one member's attempts at one quiz, in a stream for each round. Choices only: nobody's words, no texts. */
export const attemptEvents = {
  QuizAttempted: {
    version: 1,
    data: z.object({
      enrollment_id: id,
      member_id: id,
      course_id: id,
      lesson_id: id,
      /** How often the member had begun the course anew before. */
      round: z.int(),
      /** From 1 in each round. */
      attempt: z.int(),
      /** The version of the curriculum with which the quiz last changed before it was graded. */
      quiz_version: z.int(),
      questions: z.array(question),
      /** Per cent of the questions that were answered right. */
      score: z.int(),
      passed: z.boolean(),
      /** What the quiz asked for then; null = any attempt passes, any number of attempts. */
      pass_mark: z.int().nullable(),
      max_attempts: z.int().nullable(),
    }),
  },
} as const satisfies EventTypes;

/** An event of a member's attempts at a quiz. */
export type AttemptEvent = EventOf<typeof attemptEvents>;

/** One attempt, as it was recorded. */
export type QuizAttempted = AttemptEvent['data'];
