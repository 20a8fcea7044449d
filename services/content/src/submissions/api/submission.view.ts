import type { View } from '@lyceum/web';
import type { Submission } from '../submission.ts';

/** A submission for the staff. */
export function submissionDocument(id: string, submission: Submission, view: View) {
  const { email, answers, ip_hash, isMatched: _matched, tag: _tag, ...open } = submission;
  return {
    id,
    object: 'submission',
    ...open,
    email: email || null,
    answers: answers ?? [],
    ip_hash: ip_hash ?? '',
    view,
  };
}

/** A submission for whoever sent it, in the export of their data. */
export function sentDocument(id: string, { form_id, email, answers, consent, created_at }: Submission) {
  return { id, form_id, email: email || null, answers: answers ?? [], consent, created_at };
}
