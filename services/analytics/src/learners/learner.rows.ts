import type { FactOf } from '@lyceum/contracts';
import { type Collection, eventGuard } from '@lyceum/documents';
import type { Editing } from '../figures/changes.ts';
import { figuresOver } from '../figures/figures-over.ts';
import { LearnerFold } from './learner.fold.ts';

type LearnerFact = Extract<
  FactOf<'learning'>,
  {
    type:
      | 'EnrollmentActivated'
      | 'EnrollmentLapsed'
      | 'LessonStarted'
      | 'LessonCompleted'
      | 'QuizAttempted'
      | 'EnrollmentCompleted'
      | 'ProgressReset';
  }
>;

const isLearnerFact = eventGuard<LearnerFact>(
  'EnrollmentActivated',
  'EnrollmentLapsed',
  'LessonStarted',
  'LessonCompleted',
  'QuizAttempted',
  'EnrollmentCompleted',
  'ProgressReset',
);

function applied(fold: LearnerFold, fact: LearnerFact): Editing {
  switch (fact.type) {
    case 'EnrollmentActivated':
      return fold.activated(fact.data);
    case 'EnrollmentLapsed':
      return fold.lapsed(fact.data);
    case 'LessonStarted':
    case 'QuizAttempted':
      return fold.active(fact.data);
    case 'LessonCompleted':
      return fold.lessonCompleted(fact.data);
    case 'EnrollmentCompleted':
      return fold.completed(fact.data);
    case 'ProgressReset':
      return fold.reset(fact.data);
  }
}

/**
 * What students did on each day, and of each enrollment and member what later facts need. Of a member who is erased nothing
 * stays but what they were counted in.
 */
export const learners: Collection = { name: 'learners', version: 1, fields: { member_id: 'text' } };

/** Keeps the figures of those who learn. */
export const learnerFigures = figuresOver(
  'learning',
  learners,
  (changes, fact, day) => (isLearnerFact(fact) ? applied(new LearnerFold(changes, day, fact.at), fact) : undefined),
  { documents: { field: 'member_id' } },
);
