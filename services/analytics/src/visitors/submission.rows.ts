import type { FactOf } from '@lyceum/contracts';
import { type Collection, eventGuard } from '@lyceum/documents';
import type { Day } from '../calendar/calendar.ts';
import type { Changes, Editing } from '../figures/changes.ts';
import type { Figures } from '../figures/figures.ts';
import { figuresOver } from '../figures/figures-over.ts';
import { type Series, addAlike } from '../figures/series.ts';

/** What visitors sent by forms on each day, and which submissions are spam now. No person is in it. */
export const formUse: Collection = { name: 'form_use', version: 1, fields: {} };

/** The days of a form, or of all ('') forms. */
export const submissionsOf = (scope: string): Series => ({ name: 'submissions', scope });

type SubmissionFact = Extract<
  FactOf<'content'>,
  { type: 'FormSubmitted' | 'SubmissionAccepted' | 'SubmissionMarkedSpam' | 'SubmissionDeleted' }
>;

const isSubmissionFact = eventGuard<SubmissionFact>(
  'FormSubmitted',
  'SubmissionAccepted',
  'SubmissionMarkedSpam',
  'SubmissionDeleted',
);

/** Whether a submission is spam after a fact. Of a deleted one nothing is kept. */
const isSpamAfter = (fact: SubmissionFact): boolean =>
  fact.type === 'SubmissionMarkedSpam' || (fact.type === 'FormSubmitted' && fact.data.state === 'spam');

/** What a fact counts for on its day: what days before it say stays as it is, also when it is deleted. */
const counted = ({ type }: SubmissionFact, wasSpam: boolean, isSpam: boolean): Figures => ({
  ...(type === 'FormSubmitted' ? { submissions: 1 } : {}),
  ...(isSpam && !wasSpam ? { spam: 1 } : {}),
  ...(type === 'SubmissionAccepted' && wasSpam ? { restored: 1 } : {}),
});

function* applied(changes: Changes, fact: SubmissionFact, day: Day): Editing {
  const { submission_id, form_id } = fact.data;
  const id = `spam:${submission_id}`;
  const wasSpam = (yield* changes.read(id)) !== undefined;
  const isSpam = isSpamAfter(fact);
  if (isSpam !== wasSpam) changes.write(id, isSpam ? { form_id } : null);
  yield* addAlike(changes, [submissionsOf(''), submissionsOf(form_id)], day, counted(fact, wasSpam, isSpam));
}

/** Keeps the figures of forms. */
export const formFigures = figuresOver('content', formUse, (changes, fact, day) =>
  isSubmissionFact(fact) ? applied(changes, fact, day) : undefined,
);
