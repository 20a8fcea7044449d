import { foldEmail, line } from '@lyceum/contracts';
import type { Condition } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import {
  type Operation,
  type Ports,
  Problem,
  type StatusTable,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { formParams } from '../../forms/api/loaded-form.ts';
import { submissionOf, submissions } from '../submission.rows.ts';
import { submissionParams, submissionReply } from './submission.schema.ts';
import {
  type SubmissionCode,
  type Submission,
  presentSubmission,
  submissionDecider,
  submissionStates,
} from '../submission.ts';
import { submissionDocument } from './submission.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const submissionRejections = {
  not_found: 404,
  invalid_state: 409,
} as const satisfies StatusTable<SubmissionCode>;

/** Where submissions are. */
export const submissionPath = '/api/forms/{form}/submissions';

/** What reading submissions needs. */
export const readingSubmissions = {
  area: 'forms',
  scope: 'forms:read',
  anonymous: true,
  roles: heads,
  method: 'GET',
  status: 200,
} as const;

const { limit: _limit, cursor: _cursor, ...times } = listFilters;

/** What submissions are looked for by. */
export const submissionFilters = {
  ...times,
  state: z.enum(submissionStates).optional().meta({ description: 'Without it, all but those that look like spam.' }),
  member_id: z.string().min(1).max(64).optional(),
  email: line(1, 254).optional().meta({ description: 'The whole address, in any case.' }),
};

const filters = z.object(submissionFilters);

/** The rows of a form's submissions that are asked for. */
export const submissionConditions = (form: string, asked: z.output<typeof filters>): readonly Condition[] => [
  { field: 'form_id', is: form },
  asked.state === undefined ? { field: 'state', in: ['received', 'accepted'] } : { field: 'state', is: asked.state },
  ...given(asked.member_id, (is) => ({ field: 'member_id', is })),
  ...given(asked.email, (is) => ({ field: 'email_folded', is: foldEmail(is) })),
  ...filterConditions(asked),
];

/** A submission of a form, as of now. Throws 404 when the form has none of that id, or it is deleted. */
export async function loadSubmission(
  { log }: Pick<Ports, 'log'>,
  school: string,
  { form, submission: id }: { readonly form?: string; readonly submission?: string },
) {
  const { state, ...found } = await fold(log, submissionDecider, school, id ?? '');
  const submission: Submission | null = presentSubmission(state);
  if (submission?.form_id !== form || !submission) throw new Problem('not_found');
  return { ...found, submission };
}

const listSubmissions = operation({
  ...readingSubmissions,
  id: 'listSubmissions',
  path: submissionPath,
  summary: 'List what was sent by a form',
  description:
    'For owners and admins, newest first; without a token the list is empty. Follows writes with a short delay: see Consistency-Token.',
  params: formParams,
  readModel: submissions,
  query: z.strictObject({ ...listFilters, ...submissionFilters, ...fieldsOf(submissionReply) }),
  reply: listOf(submissionReply),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
    const where = submissionConditions(call.params.form ?? '', call.query);
    const page = await documents.query(submissions, call.school, { where, sort, ...call.page });
    return listReply(page, ({ id, body }) => submissionDocument(id, submissionOf(body), call.view), sort);
  },
});

const getSubmission = operation({
  ...readingSubmissions,
  id: 'getSubmission',
  path: `${submissionPath}/{submission}`,
  summary: 'Read what was sent by a form',
  description: 'As of now, for owners and admins.',
  params: submissionParams,
  query: z.strictObject(fieldsOf(submissionReply)),
  reply: submissionReply,
  async handle(call, ports) {
    if (!call.principal) throw new Problem('not_found');
    const { submission, ...found } = await loadSubmission(ports, call.school, call.params);
    return { body: submissionDocument(call.params.submission ?? '', submission, call.view), ...asOf(found) };
  },
});

/** What is read of submissions. */
export const submissionReading: readonly Operation[] = [listSubmissions, getSubmission];
