import type { Incoming } from '@lyceum/documents';
import { execute } from '@lyceum/eventlog';
import { erasedSubject, isoTime, uuidv5 } from '@lyceum/kernel';
import { type ModulePorts, type Reaction, forRowsAbout, forgetOwn } from '@lyceum/service';
import { submissionEvents } from '../submission.events.ts';
import { submissions } from '../submission.rows.ts';
import { type SubmissionCommand, submissionDecider } from '../submission.ts';

/** The subject whose key a submission is encrypted with: nobody but the submission. */
const prefix = 'subject-submission_';

/** Whether a stream records that a submission is forgotten: no other service knew of what it says. */
export const isForgettingOfSubmission = (stream: string): boolean => stream.startsWith(prefix);

type Reason = Extract<SubmissionCommand, { type: 'DeleteSubmission' }>['reason'];

/** Deletes a submission without anybody asking for it. May be repeated. */
export async function deleteSubmission(
  { log, clock }: Pick<ModulePorts, 'log' | 'clock'>,
  tenant: string,
  stream: string,
  reason: Reason,
): Promise<void> {
  await execute(log, submissionDecider, {
    tenant,
    stream,
    command: { type: 'DeleteSubmission', by: 'system', reason },
    at: isoTime(clock.now()),
    meta: { actor: 'system' },
    commitId: uuidv5('delete-submission', tenant, stream, reason),
  });
}

/** The key of what is deleted is destroyed: nothing that was sent can be read any more, in no copy of the log. */
export const forgettingSubmissions: Reaction = {
  name: 'forgetting-submissions',
  events: ['SubmissionDeleted'],
  perform: ({ tenant, stream }, ports) => forgetOwn(ports, tenant, stream),
};

const ofSender = { service: 'content', collection: submissions, field: 'member_id' };

const { FormSubmitted, SubmissionMatched } = submissionEvents;

/** The member whom an event says that a submission is of. */
const memberIn = ({ type, data }: Incoming): string | null =>
  type === 'FormSubmitted'
    ? FormSubmitted.data.shape.member_id.parse((data as { readonly member_id: unknown }).member_id)
    : SubmissionMatched.data.parse(data).member_id;

/**
 * A member is erased: what they sent goes with them, before anybody knew which member they are, too. The key of a member is
 * destroyed before their erasure stands in the log: a submission is either among those up to it, or of somebody without a key.
 */
export const erasingSenders: Reaction = {
  name: 'senders-of-submissions',
  events: ['SubjectErased', 'FormSubmitted', 'SubmissionMatched'],
  async perform(event, ports) {
    const subject = erasedSubject(event);
    if (subject !== undefined) {
      if (isForgettingOfSubmission(event.stream)) return;
      const { tenant } = event;
      return forRowsAbout(ports, ofSender, event, subject, ({ id }) => deleteSubmission(ports, tenant, id, 'erasure'));
    }
    const member = memberIn(event);
    if (member !== null && (await ports.vault.keyStatus(event.tenant, member)) === 'erased')
      await deleteSubmission(ports, event.tenant, event.stream, 'erasure');
  },
};
