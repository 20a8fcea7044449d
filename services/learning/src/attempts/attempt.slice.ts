import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { attemptEvents } from './attempt.events.ts';
import { attemptFact } from './attempt.facts.ts';
import { attemptOf, attemptProjection, attempts } from './attempt.rows.ts';
import { attemptDecider } from './attempt.ts';
import { attemptDocument } from './attempt.view.ts';

/** What a person answered in quizzes. Not what would have been right: the quiz may still be open to them. */
const attemptData: PersonalData<Ports> = {
  file: 'quiz-attempts',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: attempts, field: 'member_id' }, after, ({ id, body }) => {
      const { view: _view, ...attempt } = attemptDocument(id, attemptOf(body), { view: 'member', answersShown: false });
      return attempt;
    }),
};

/** Attempts at quizzes: what was answered, and what it came to. */
export const attemptSlice: Slice = {
  name: 'attempts',
  operations: [],
  events: attemptEvents,
  aggregates: [aggregate(streamsOf('attempts_'), attemptDecider)],
  projections: [attemptProjection],
  toFact: attemptFact,
  personalData: [attemptData],
};
