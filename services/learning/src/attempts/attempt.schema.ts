import { membersOf, staff } from '@lyceum/service';
import { listOf } from '@lyceum/web';
import { z } from 'zod';

const { first, last } = membersOf('attempt', 'quiz_attempt');
const { created_at, updated_at, view } = last;

const choice = z.string().min(1).max(20);

const questionReply = z
  .object({
    id: z.string(),
    chosen: z.array(z.string()).meta({ description: 'Ids of the choices that were taken; empty = left open.' }),
    correct: z.boolean().optional().meta({ description: 'Absent until the quiz is passed or no attempt is left.' }),
    right: z
      .array(z.string())
      .optional()
      .meta({ description: 'Ids of the right choices. Absent until the quiz is passed or no attempt is left.' }),
  })
  .meta({ id: 'AttemptedQuestion' });

/** An attempt at a quiz as clients read it. */
export const attemptReply = z
  .object({
    ...first,
    enrollment_id: z.string(),
    member_id: z.string().meta(staff),
    lesson_id: z.string(),
    attempt: z.int().min(1).meta({ description: 'Which of the attempts at this quiz it is.' }),
    attempts_left: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'After this one, as the quiz was then; null = any number.' }),
    quiz_version: z.int().meta({
      description: 'The version of the curriculum with which the quiz had last changed when it was graded.',
    }),
    score: z.int().min(0).max(100).meta({ description: 'Per cent of the questions that are right, rounded down.' }),
    pass_mark: z.int().nullable().meta({ description: 'Per cent that passed then; null = any attempt passed.' }),
    passed: z.boolean(),
    questions: z.array(questionReply),
    created_at,
    updated_at,
    view,
  })
  .meta({ id: 'QuizAttempt', description: 'One attempt of a member at a quiz, graded.' });

/** A list of attempts. */
export const attemptsReply = listOf(attemptReply).meta({ id: 'QuizAttempts' });

/** The body of an attempt. */
export const attemptBody = z
  .strictObject({
    answers: z.record(z.string().max(20), z.array(choice).max(20)).meta({
      description:
        'The ids of the choices that are taken, by the id of the question. Every question is named; an empty list leaves one open.',
    }),
  })
  .meta({ id: 'AttemptQuiz', example: { answers: { q1: ['b'], q2: ['a', 'c'] } } });

/** The id of a lesson, as another service made it. */
export const lessonId = z.string().min(1).max(64).meta({ description: 'Id of the lesson.' });
