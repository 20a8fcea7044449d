import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { submissionEvents } from './submission.events.ts';

/** What other services hear of a submission: that there is one, and nothing of what it says or whom it is of. */
export function submissionFact(recorded: RecordedEvent): FactOf<'content'> | undefined {
  if (!recorded.stream.startsWith('submission_')) return undefined;
  const event = upcast(submissionEvents, recorded);
  if (event.type === 'SubmissionMatched') return undefined;
  const { form_id, page_id } = event.data;
  const about = { submission_id: recorded.stream, form_id, page_id };
  if (event.type !== 'FormSubmitted') return { type: event.type, data: about };
  const { email, consent, state } = event.data;
  return {
    type: event.type,
    data: { ...about, email_ref: email ? recorded.stream : null, consent: consent !== null, state },
  };
}
