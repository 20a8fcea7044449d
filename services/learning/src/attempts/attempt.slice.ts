import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { attemptEvents } from './attempt.events.ts';
import { attemptFact } from './attempt.facts.ts';
import { attemptProjection } from './attempt.rows.ts';
import { attemptDecider } from './attempt.ts';

/** Attempts at quizzes: what was answered, and what it came to. */
export const attemptSlice: Slice = {
  name: 'attempts',
  operations: [],
  events: attemptEvents,
  aggregates: [aggregate(streamsOf('attempts_'), attemptDecider)],
  projections: [attemptProjection],
  toFact: attemptFact,
};
