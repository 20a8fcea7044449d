import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { submissionEvents } from './submission.events.ts';
import { type Submission, presentSubmission, submissionDecider } from './submission.ts';

/** The read model behind lists of submissions. */
export const submissions: Collection = {
  name: 'submissions',
  version: 1,
  fields: {
    form_id: 'text',
    member_id: 'text',
    email_folded: 'text',
    state: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** The submission of a row. */
export function submissionOf(row: Document): Submission {
  const { email_folded: _folded, ...submission } = rowAs<Submission & { readonly email_folded: string }>(row);
  return submission;
}

/** Folds the events of each submission into its row. Of a deleted one nothing is kept, and nothing is begun anew. */
export const submissionProjection: Projection = {
  collection: submissions,
  key: ({ stream }) => (stream.startsWith('submission_') ? stream : undefined),
  project(event, before): Document | null {
    if (!before && event.version > 1) return null;
    const { at, version } = event;
    const state = before ? submissionOf(before) : null;
    const next = presentSubmission(submissionDecider.evolve(state, upcast(submissionEvents, event), { at, version }));
    return next && { ...next, email_folded: next.email?.toLowerCase() ?? '' };
  },
  erase: { documents: (subject) => (subject.startsWith('submission_') ? [subject] : []) },
};
