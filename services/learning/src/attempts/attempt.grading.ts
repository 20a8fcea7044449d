import type { Detail } from '@lyceum/kernel';

/** What a member chose, by the ids of questions and of choices. */
export type Answers = Readonly<Record<string, readonly string[]>>;

/** A question without its texts. `answers`: the ids of the right choices. */
export interface Question {
  readonly id: string;
  readonly choices: readonly string[];
  readonly answers: readonly string[];
}

/** What became of one question. */
export interface GradedQuestion {
  readonly id: string;
  readonly chosen: readonly string[];
  readonly right: readonly string[];
}

/** A quiz that was graded. `score`: per cent of the questions that are right, rounded down. */
export interface Grade {
  readonly questions: readonly GradedQuestion[];
  readonly score: number;
  readonly passed: boolean;
}

const own = (answers: Answers, question: string): readonly string[] | undefined =>
  Object.hasOwn(answers, question) ? answers[question] : undefined;

const fault = (path: string, code: string, message: string): Detail => ({ path: `answers${path}`, code, message });

/**
 * What is wrong with answers to these questions; empty when they can be graded. Every question must be named: whoever
 * read the quiz before a question was added is told so. An empty list leaves a question open.
 */
export function faultsIn(answers: Answers, questions: readonly Question[]): readonly Detail[] {
  const known = new Set(questions.map(({ id }) => id));
  return [
    ...Object.keys(answers)
      .filter((id) => !known.has(id))
      .map((id) => fault(`.${id}`, 'unknown_question', 'is no question of this quiz')),
    ...questions.flatMap((question) => faultsOf(question, own(answers, question.id))),
  ];
}

function faultsOf({ id, choices }: Question, chosen: readonly string[] | undefined): readonly Detail[] {
  if (!chosen) return [fault(`.${id}`, 'missing', 'every question is named; an empty list leaves one open')];
  return chosen.flatMap((choice, at) => {
    if (!choices.includes(choice)) return [fault(`.${id}.${at}`, 'unknown_choice', 'is no choice of this question')];
    return chosen.indexOf(choice) < at ? [fault(`.${id}.${at}`, 'repeated', 'was chosen already')] : [];
  });
}

/** Whether a question is right: all right choices, and no other, in whatever order. */
export const isRight = ({ chosen, right }: GradedQuestion): boolean =>
  chosen.length === right.length && right.every((choice) => chosen.includes(choice));

/** Grades answers that have no fault. Without a pass mark every attempt passes. */
export function grade(answers: Answers, questions: readonly Question[], pass_mark: number | null): Grade {
  const graded = questions.map(({ id, answers: right }) => ({ id, chosen: [...(own(answers, id) ?? [])], right }));
  const score = Math.floor((100 * graded.filter(isRight).length) / questions.length);
  return { questions: graded, score, passed: pass_mark === null || score >= pass_mark };
}
