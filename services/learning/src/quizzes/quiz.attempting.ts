import type { VersionedCommand } from '@lyceum/eventlog';
import { type SideEvent, checkEvent, isRejection } from '@lyceum/kernel';
import type { AskingPorts } from '@lyceum/service';
import { type Call, type Ports, Problem, type StatusTable, problemOf } from '@lyceum/web';
import { type AttemptCode, type AttemptQuiz, type Quiz, gradeOf } from '../attempts/attempt.ts';
import { learningPath } from '../courses/known-outlines.ts';
import { enrollmentEvents } from '../enrollments/enrollment.events.ts';
import { type Calling, ownEnrollment } from '../enrollments/enrollment.read.ts';
import type { Enrollment } from '../enrollments/enrollment.state.ts';
import { enrollmentDecider } from '../enrollments/enrollment.ts';
import { enrollmentRejections } from '../enrollments/enrollment.write.ts';
import { quizOfLesson } from './quiz.catalog.ts';

/** What each rejection of an attempt means over HTTP; the error table of the contracts says the same. */
export const attemptRejections = {
  attempts_exhausted: 409,
  validation_failed: 422,
} as const satisfies StatusTable<AttemptCode>;

/** A call about a quiz of one of the caller's enrollments. */
type QuizCall = Pick<Call, 'school' | 'at'> &
  Calling & {
    readonly params: { readonly enrollment: string; readonly lesson: string };
  };

type QuizPorts = Pick<Ports, 'log' | 'documents'> & AskingPorts;

/**
 * Reads what an attempt follows from: the quiz, once for a call, and the enrollment, which must not change before the
 * attempt is written. Throws the problem when there is no such quiz, or it is not open to the member.
 */
export function attempting(
  call: QuizCall,
  ports: QuizPorts,
  { answers, round }: Pick<AttemptQuiz, 'answers' | 'round'>,
): () => Promise<VersionedCommand<AttemptQuiz>> {
  const { enrollment: enrollment_id, lesson: lesson_id } = call.params;
  let asked: Promise<Quiz | undefined> | undefined;
  return async () => {
    const { enrollment, version } = await ownEnrollment(call, ports);
    const { member_id, course_id, resets } = enrollment;
    if (resets !== round) throw new Problem('invalid_state', 'The progress in this course was reset meanwhile');
    asked ??= quizOfLesson(ports, { school: call.school, course: course_id, lesson: lesson_id });
    const quiz = await asked;
    if (!quiz) throw new Problem('not_found', 'There is no such quiz');
    const learnt = await learntBy({ answers, quiz }, enrollment, call, ports);
    const attempted = { enrollment_id, member_id, course_id, lesson_id, round };
    const command: AttemptQuiz = { type: 'AttemptQuiz', ...attempted, quiz, answers, learnt };
    return { command, expectedVersions: [{ stream: enrollment_id, version }] };
  };
}

/** What an attempt leaves in the enrollment: that the lesson was begun, and, when it passes, that it is completed. */
async function learntBy(
  attempted: Pick<AttemptQuiz, 'answers' | 'quiz'>,
  enrollment: Enrollment,
  { school, params, at: now }: QuizCall,
  ports: QuizPorts,
): Promise<readonly SideEvent[]> {
  const { member_id, course_id } = enrollment;
  const path = await learningPath(ports, school, course_id);
  const lesson = { member_id, course_id, lesson_id: params.lesson, path, now };
  const decided = enrollmentDecider.decide(
    gradeOf(attempted).passed
      ? { type: 'CompleteLesson', passed: true, ...lesson }
      : { type: 'StartLesson', ...lesson },
    enrollment,
  );
  if (isRejection(decided)) throw problemOf(decided, enrollmentRejections);
  const stream = params.enrollment;
  return decided.map((event) => ({ ...event, stream, ...checkEvent(enrollmentEvents, event) }));
}
