import { type Decider, type Rejection, type SideEvent, reject, uuidv5 } from '@lyceum/kernel';
import { type AttemptEvent, type QuizAttempted, attemptEvents } from './attempt.events.ts';
import { type Answers, type Grade, type Question, faultsIn, grade } from './attempt.grading.ts';

/** A published quiz as it is graded. `version`: of the curriculum with which it last changed. */
export interface Quiz {
  readonly version: number;
  readonly questions: readonly Question[];
  /** Per cent; null = any attempt passes. */
  readonly pass_mark: number | null;
  /** null = any number. */
  readonly max_attempts: number | null;
}

/** Whose attempts at which quiz. */
export interface Attempting {
  readonly enrollment_id: string;
  readonly member_id: string;
  readonly course_id: string;
  readonly lesson_id: string;
  /** How often the member has begun the course anew: attempts count from the last time. */
  readonly round: number;
}

/** Attempts a quiz. `learnt`: what the attempt leaves in the enrollment, in the same commit. */
export interface AttemptQuiz extends Attempting {
  readonly type: 'AttemptQuiz';
  readonly quiz: Quiz;
  readonly answers: Answers;
  readonly learnt: readonly SideEvent[];
}

/** What an attempt can be rejected for. */
export type AttemptCode = 'attempts_exhausted' | 'validation_failed';

/** One attempt, and when it was (RFC 3339 UTC). */
export interface Attempt extends QuizAttempted {
  readonly created_at: string;
}

/** One member's attempts at one quiz. */
export interface AttemptState {
  /** The newest attempt; null = there was none. */
  readonly last: Attempt | null;
  /** Whether any attempt passed. */
  readonly passed: boolean;
}

/** The stream of a member's attempts at a quiz: its id follows from what they are at, so there is one. */
export const attemptStream = ({
  enrollment_id,
  lesson_id,
  round,
}: Omit<Attempting, 'member_id' | 'course_id'>): string =>
  `attempts_${uuidv5('attempts', enrollment_id, lesson_id, round)}`;

/** The id of one attempt of a stream. */
export const attemptId = (stream: string, attempt: number): string => `attempt_${uuidv5('attempt', stream, attempt)}`;

/** Whether the right answers are no secret to the member any more: after a pass, or the last attempt. */
export const areAnswersShown = ({ passed, last }: AttemptState): boolean =>
  passed || (last !== null && last.max_attempts !== null && last.attempt >= last.max_attempts);

/** What an attempt with these answers comes to, when it is accepted. */
export const gradeOf = ({ answers, quiz }: Pick<AttemptQuiz, 'answers' | 'quiz'>): Grade =>
  grade(answers, quiz.questions, quiz.pass_mark);

function decide(command: AttemptQuiz, { last }: AttemptState): readonly AttemptEvent[] | Rejection<AttemptCode> {
  const { enrollment_id, member_id, course_id, lesson_id, round, quiz, answers } = command;
  const attempts = last?.attempt ?? 0;
  const { version: quiz_version, pass_mark, max_attempts, questions } = quiz;
  if (max_attempts !== null && attempts >= max_attempts)
    return reject('attempts_exhausted', `This quiz may be attempted ${max_attempts} times`);
  const faults = faultsIn(answers, questions);
  if (faults.length > 0) return reject('validation_failed', 'The answers do not fit the questions', faults);
  const { questions: graded, score, passed } = gradeOf(command);
  const data: QuizAttempted = {
    enrollment_id,
    member_id,
    course_id,
    lesson_id,
    round,
    attempt: attempts + 1,
    quiz_version,
    questions: graded.map(({ id, chosen, right }) => ({ id, chosen: [...chosen], right: [...right] })),
    score,
    passed,
    pass_mark,
    max_attempts,
  };
  return [{ type: 'QuizAttempted', data }];
}

/** One member's attempts at one quiz: each is graded once, and there are no more than the quiz allows. */
export const attemptDecider: Decider<AttemptState, AttemptQuiz, AttemptEvent, AttemptCode> = {
  events: attemptEvents,
  initial: { last: null, passed: false },
  snapshot: { version: 1 },
  decide,
  evolve: ({ passed }, { data }, { at }) => ({ last: { ...data, created_at: at }, passed: passed || data.passed }),
  sideEvents: (_before, _after, { learnt }) => learnt,
};
