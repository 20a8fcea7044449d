import type { View } from '@lyceum/web';
import { isRight } from './attempt.grading.ts';
import type { Attempt } from './attempt.ts';

/** How an attempt is shown. `answersShown`: whether the member may know which answers are right. The staff always may. */
interface Showing {
  readonly view: View;
  readonly answersShown: boolean;
}

/** An attempt as a view shows it. What is kept back is absent. */
export function attemptDocument(id: string, attempt: Attempt, { view, answersShown }: Showing) {
  const { enrollment_id, member_id, lesson_id, quiz_version, score, passed, pass_mark, max_attempts } = attempt;
  const isOpen = view === 'staff' || answersShown;
  return {
    id,
    object: 'quiz_attempt',
    enrollment_id,
    ...(view === 'staff' ? { member_id } : {}),
    lesson_id,
    attempt: attempt.attempt,
    attempts_left: max_attempts === null ? null : Math.max(0, max_attempts - attempt.attempt),
    quiz_version,
    score,
    pass_mark,
    passed,
    questions: attempt.questions.map((question) => ({
      id: question.id,
      chosen: question.chosen,
      ...(isOpen ? { correct: isRight(question), right: question.right } : {}),
    })),
    created_at: attempt.created_at,
    updated_at: attempt.created_at,
    view,
  };
}
