import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Answers, type Question, faultsIn, grade } from './attempt.grading.ts';

const names = fc.stringMatching(/^[a-z0-9_-]{1,6}$/).filter((name) => name !== '__proto__');

/** A quiz, answers that fit it, and how many questions are right by them. */
const answered = fc
  .uniqueArray(names, { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.uniqueArray(names, { minLength: 2, maxLength: 6 }).chain((choices) =>
          fc.record({
            id: fc.constant(id),
            choices: fc.constant(choices),
            answers: fc.shuffledSubarray(choices, { minLength: 1 }),
            chosen: fc.shuffledSubarray(choices),
          }),
        ),
      ),
    ),
  )
  .map((all) => ({
    questions: all.map(({ chosen: _chosen, ...question }): Question => question),
    answers: Object.fromEntries(all.map(({ id, chosen }) => [id, chosen])) as Answers,
    right: all.filter(({ answers, chosen }) => [...answers].sort().join() === [...chosen].sort().join()).length,
  }));

const mark = fc.option(fc.integer({ min: 0, max: 100 }));

test('of 2,000 quizzes: the score is the share of right questions, and passing is reaching the mark', () => {
  fc.assert(
    fc.property(answered, mark, ({ questions, answers, right }, pass_mark) => {
      const { score, passed, questions: graded } = grade(answers, questions, pass_mark);
      return (
        faultsIn(answers, questions).length === 0 &&
        score === Math.floor((100 * right) / questions.length) &&
        // Exactly: no rounding lets anybody pass, or fail, who should not.
        passed === (pass_mark === null || 100 * right >= pass_mark * questions.length) &&
        graded.length === questions.length
      );
    }),
    { numRuns: 2_000 },
  );
});

test('the right answers get 100, in whatever order; one choice more or less costs its question', () => {
  fc.assert(
    fc.property(answered, fc.nat(), ({ questions }, seed) => {
      const perfect = Object.fromEntries(questions.map(({ id, answers }) => [id, [...answers].reverse()]));
      const at = questions[seed % questions.length]!;
      const chosen = perfect[at.id]!;
      const other = at.choices.find((choice) => !chosen.includes(choice));
      const spoilt = { ...perfect, [at.id]: other === undefined ? chosen.slice(1) : [...chosen, other] };
      const { score } = grade(spoilt, questions, null);
      return (
        grade(perfect, questions, 100).passed && score === Math.floor((100 * (questions.length - 1)) / questions.length)
      );
    }),
    { numRuns: 500 },
  );
});

test('a question that is left out, added, or answered by what is no choice of it is a fault', () => {
  fc.assert(
    fc.property(answered, names, ({ questions, answers }, name) => {
      const [first] = questions;
      if (!first) return false;
      const { [first.id]: chosen = [], ...without } = answers;
      const isQuestion = questions.some(({ id }) => id === name);
      const isChoice = first.choices.includes(name);
      return (
        faultsIn(without, questions).length === 1 &&
        faultsIn({ ...answers, [name]: [] }, questions).length === (isQuestion ? 0 : 1) &&
        faultsIn({ ...answers, [first.id]: [...chosen, name] }, questions).length ===
          (isChoice && !chosen.includes(name) ? 0 : 1)
      );
    }),
    { numRuns: 500 },
  );
  expect(faultsIn({}, [])).toEqual([]);
});
