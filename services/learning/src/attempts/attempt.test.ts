import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { AttemptEvent } from './attempt.events.ts';
import {
  type AttemptQuiz,
  type AttemptState,
  type Quiz,
  areAnswersShown,
  attemptDecider,
  attemptId,
  attemptStream,
} from './attempt.ts';

const who = { enrollment_id: 'enrollment_1', member_id: 'account_1', course_id: 'course_1', lesson_id: 'lesson_1' };

const quiz: Quiz = {
  version: 7,
  pass_mark: 50,
  max_attempts: 2,
  questions: [
    { id: 'q1', choices: ['a', 'b'], answers: ['b'] },
    { id: 'q2', choices: ['a', 'b', 'c'], answers: ['a', 'c'] },
  ],
};

type Chosen = AttemptQuiz['answers'];
const right: Chosen = { q1: ['b'], q2: ['c', 'a'] };
const half: Chosen = { q1: ['b'], q2: [] };
const wrong: Chosen = { q1: ['a'], q2: ['a'] };

const attempt = (answers: Chosen, more: Partial<Quiz> = {}, learnt: AttemptQuiz['learnt'] = []): AttemptQuiz => ({
  type: 'AttemptQuiz',
  ...who,
  round: 0,
  quiz: { ...quiz, ...more },
  answers,
  learnt,
});

const attempted = (
  number: number,
  { q1 = [], q2 = [] }: Chosen,
  score: number,
  passed: boolean,
  more: Partial<AttemptEvent['data']> = {},
): AttemptEvent => ({
  type: 'QuizAttempted',
  data: {
    ...who,
    round: 0,
    attempt: number,
    quiz_version: 7,
    questions: [
      { id: 'q1', chosen: [...q1], right: ['b'] },
      { id: 'q2', chosen: [...q2], right: ['a', 'c'] },
    ],
    score,
    passed,
    pass_mark: 50,
    max_attempts: 2,
    ...more,
  },
});

const stateAfter = (...events: readonly AttemptEvent[]): AttemptState => given(attemptDecider, ...events).state;

describe('an attempt', () => {
  test('is graded, with the version of the quiz, what was chosen and what is right', () => {
    given(attemptDecider)
      .when(attempt(right))
      .then(attempted(1, right, 100, true));
    given(attemptDecider)
      .when(attempt(half))
      .then(attempted(1, half, 50, true));
    given(attemptDecider)
      .when(attempt(wrong))
      .then(attempted(1, wrong, 0, false));
  });

  test('is counted, and passing one does not end the counting', () => {
    given(attemptDecider, attempted(1, wrong, 0, false))
      .when(attempt(right))
      .then(attempted(2, right, 100, true));
    given(attemptDecider, attempted(1, right, 100, true))
      .when(attempt(wrong))
      .then(attempted(2, wrong, 0, false));
  });

  test('beyond the limit is rejected, whatever it says, until the limit is raised', () => {
    const used = [attempted(1, wrong, 0, false), attempted(2, wrong, 0, false)] as const;
    given(attemptDecider, ...used)
      .when(attempt(right))
      .rejected('attempts_exhausted');
    given(attemptDecider, ...used)
      .when(attempt({}))
      .rejected('attempts_exhausted');
    given(attemptDecider, ...used)
      .when(attempt(right, { max_attempts: 3 }))
      .then(attempted(3, right, 100, true, { max_attempts: 3 }));
  });

  test('without a limit is always one more, and without a pass mark it passes', () => {
    given(attemptDecider, attempted(1, wrong, 0, true, { max_attempts: null, pass_mark: null }))
      .when(attempt(wrong, { max_attempts: null, pass_mark: null }))
      .then(attempted(2, wrong, 0, true, { max_attempts: null, pass_mark: null }));
  });

  test.each<[string, Chosen, readonly string[]]>([
    ['a question that there is not', { ...right, q3: ['a'] }, ['answers.q3 unknown_question']],
    ['a name that every object has', { ...right, constructor: ['a'] }, ['answers.constructor unknown_question']],
    ['a choice that there is not', { ...right, q1: ['c'] }, ['answers.q1.0 unknown_choice']],
    ['a choice twice', { ...right, q2: ['a', 'a'] }, ['answers.q2.1 repeated']],
    ['a question left out', { q1: ['b'] }, ['answers.q2 missing']],
    ['nothing', {}, ['answers.q1 missing', 'answers.q2 missing']],
  ])('with %s is rejected, and not counted', (_, answers, faults) => {
    const decision = attemptDecider.decide(attempt(answers), attemptDecider.initial);
    expect(decision).toMatchObject({ rejected: 'validation_failed' });
    const { details = [] } = decision as { details?: readonly { path: string; code: string }[] };
    expect(details.map(({ path, code }) => `${path} ${code}`)).toEqual(faults);
  });

  test('leaves in the enrollment what was learnt by it', () => {
    const learnt = [{ stream: 'enrollment_1', type: 'LessonStarted', schema: 1, data: {} }];
    const command = attempt(right, {}, learnt);
    const state = stateAfter(attempted(1, right, 100, true));
    expect(attemptDecider.sideEvents?.(attemptDecider.initial, state, command)).toEqual(learnt);
  });
});

describe('the right answers', () => {
  test.each<[string, boolean, readonly AttemptEvent[]]>([
    ['before any attempt', false, []],
    ['after a failed one', false, [attempted(1, wrong, 0, false)]],
    ['after a pass', true, [attempted(1, right, 100, true)]],
    ['after a pass that others followed', true, [attempted(1, right, 100, true), attempted(2, wrong, 0, false)]],
    ['after the last one', true, [attempted(1, wrong, 0, false), attempted(2, wrong, 0, false)]],
    ['after many without a limit', false, [attempted(99, wrong, 0, false, { max_attempts: null })]],
  ])('%s: shown %s', (_, shown, events) => expect(areAnswersShown(stateAfter(...events))).toBe(shown));
});

test('a stream for each enrollment, lesson and round, and an id for each attempt', () => {
  const { enrollment_id, lesson_id } = who;
  const streams = [
    attemptStream({ enrollment_id, lesson_id, round: 0 }),
    attemptStream({ enrollment_id, lesson_id, round: 1 }),
    attemptStream({ enrollment_id, lesson_id: 'lesson_2', round: 0 }),
    attemptStream({ enrollment_id: 'enrollment_2', lesson_id, round: 0 }),
  ];
  expect(new Set(streams).size).toBe(4);
  expect(streams[0]).toMatch(/^attempts_[0-9a-f-]{36}$/);
  expect(attemptStream({ enrollment_id, lesson_id, round: 0 })).toBe(streams[0]);
  expect(new Set(streams.flatMap((stream) => [attemptId(stream, 1), attemptId(stream, 2)])).size).toBe(8);
});
