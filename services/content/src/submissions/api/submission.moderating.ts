import { heads } from '@lyceum/service';
import { type Call, type Operation, type Ports, accepted, asOf, attempt, operation } from '@lyceum/web';
import { loadSubmission, submissionPath, submissionRejections } from './submission.reading.ts';
import { submissionParams, submissionReply } from './submission.schema.ts';
import { type SubmissionCommand, presentSubmission, submissionDecider } from '../submission.ts';
import { submissionDocument } from './submission.view.ts';

type ModeratingCall = Call<{ params: typeof submissionParams; query: undefined; body: undefined }>;

const path = `${submissionPath}/{submission}`;

/** There is no scope that writes forms: as they are blocks of pages, who writes pages decides about what comes by them. */
const moderating = {
  area: 'forms',
  scope: 'pages:write',
  anonymous: false,
  roles: heads,
  params: submissionParams,
  ifMatch: 'accepted',
  errors: ['not_found'],
} as const;

/** Brings a command to a submission of the form that the path names. */
async function decide(call: ModeratingCall, ports: Ports, command: SubmissionCommand) {
  await loadSubmission(ports, call.school, call.params);
  const { submission: id = '' } = call.params;
  return accepted(await attempt(call, ports, submissionDecider, id, command), submissionRejections);
}

/** An operation that says of a submission whether it is spam. */
const judging = (
  said: Pick<Operation, 'id' | 'summary' | 'description'>,
  below: string,
  type: 'AcceptSubmission' | 'MarkSubmissionSpam',
): Operation =>
  operation({
    ...moderating,
    ...said,
    method: 'POST',
    path: `${path}/${below}`,
    status: 200,
    reply: submissionReply,
    async handle(call, ports) {
      const { state, ...done } = await decide(call, ports, { type, by: call.meta.actor });
      const submission = presentSubmission(state);
      if (!submission) return { ...asOf(done) };
      return { body: submissionDocument(call.params.submission ?? '', submission, 'staff'), ...asOf(done) };
    },
  });

/** What the staff decides about submissions. */
export const submissionModeration: readonly Operation[] = [
  judging(
    {
      id: 'acceptSubmission',
      summary: 'Say that a submission is no spam',
      description:
        'What follows from an accepted one follows then, e.g. the tag of the form. Again it changes nothing.',
    },
    'accept',
    'AcceptSubmission',
  ),
  judging(
    {
      id: 'markSubmissionSpam',
      summary: 'Say that a submission is spam',
      description: 'It leaves the list, and stays for as long as all are kept. Again it changes nothing.',
    },
    'spam',
    'MarkSubmissionSpam',
  ),
  operation({
    ...moderating,
    id: 'deleteSubmission',
    method: 'DELETE',
    path,
    status: 204,
    summary: 'Delete a submission',
    description: 'For good: what was sent cannot be read any more, by nobody.',
    async handle(call, ports) {
      const { lane, position } = await decide(call, ports, {
        type: 'DeleteSubmission',
        by: call.meta.actor,
        reason: 'staff',
      });
      return { observed: { lane, position } };
    },
  }),
];
