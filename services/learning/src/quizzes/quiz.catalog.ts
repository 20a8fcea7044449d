import { type AskingPorts, askFor } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { z } from 'zod';
import type { Quiz } from '../attempts/attempt.ts';

const id = z.string();

const published = z.object({
  version: z.int(),
  pass_mark: z.int().nullable(),
  max_attempts: z.int().nullable(),
  questions: z.array(z.object({ id, choices: z.array(id), answers: z.array(id) })),
});

/** Which quiz is meant. */
interface QuizPlace {
  readonly school: string;
  readonly course: string;
  readonly lesson: string;
}

/**
 * The quiz of a lesson as of now, with its right answers; undefined when the lesson has none that is published. Throws the
 * 503 problem when the catalog cannot tell.
 */
export async function quizOfLesson(asking: AskingPorts, place: QuizPlace): Promise<Quiz | undefined> {
  const answer = await askFor(asking, 'catalog', { kind: 'quiz-of-lesson', ...place }, published.nullable());
  // A catalog service of the release before does not know the question.
  if (answer === undefined)
    throw new Problem('temporarily_unavailable', 'The catalog service cannot tell quizzes yet', {
      headers: { 'Retry-After': '1' },
    });
  return answer ?? undefined;
}
