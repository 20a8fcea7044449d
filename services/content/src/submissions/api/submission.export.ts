import {
  type Call,
  CsvFiles,
  type CsvPage,
  type Operation,
  type Ports,
  Problem,
  csvLine,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { formParams, loadForm } from '../../forms/api/loaded-form.ts';
import type { FormField } from '../../forms/form.events.ts';
import { readingSubmissions, submissionConditions, submissionFilters, submissionPath } from './submission.reading.ts';
import { submissionOf, submissions } from '../submission.rows.ts';
import type { Submission } from '../submission.ts';

const query = z.strictObject(submissionFilters);

type Exporting = Call<{ params: typeof formParams; query: typeof query; body: undefined }>;

const pageSize = 100;

const files = new CsvFiles();

const columns = ['id', 'sent_at', 'state', 'member_id', 'email', 'consent_at', 'spam_score'] as const;

/** The line of a submission: what the form asks for now in columns, what it asked for once in the last one. */
function lineOf(id: string, fields: readonly FormField[], submission: Submission): string {
  const { created_at, state, member_id, email, consent, spam_score } = submission;
  const answers = submission.answers ?? [];
  const cells = fields.map(({ key }) => answers.find((each) => each.key === key)?.value);
  const others = answers.filter(({ key }) => !fields.some((field) => field.key === key));
  return csvLine([
    id,
    created_at,
    state,
    member_id,
    email,
    consent?.at ?? null,
    String(spam_score),
    ...cells.map((value) => value ?? null),
    others.map(({ label, value }) => `${label}: ${value}`).join('; '),
  ]);
}

async function readPage(
  call: Exporting,
  { documents }: Pick<Ports, 'documents'>,
  fields: readonly FormField[],
  after: CsvPage['after'],
): Promise<CsvPage> {
  const sort = orderOf(call.query);
  const where = submissionConditions(call.params.form ?? '', call.query);
  const from = after ? { after } : {};
  const { items, more } = await documents.query(submissions, call.school, { where, sort, limit: pageSize, ...from });
  const last = items.at(-1);
  return {
    text: items.map(({ id, body }) => lineOf(id, fields, submissionOf(body))).join(''),
    after: more && last ? { value: String(last.body[sort.field]), id: last.id } : undefined,
  };
}

/** Gives all submissions of a form as one file. */
export const exportSubmissions: Operation = operation({
  ...readingSubmissions,
  id: 'exportSubmissions',
  path: `${submissionPath}/export`,
  summary: 'Export what was sent by a form as CSV',
  description:
    'All that the filters of the list leave, one line each, as CSV (RFC 4180, UTF-8, with a header): a column for each field of the form, and one for what it asked for before. A cell that a spreadsheet would take for a formula begins with an apostrophe. At most two at a time. A file that breaks off is not the whole: the connection is cut then.',
  params: formParams,
  readModel: submissions,
  query,
  gives: 'text/csv; charset=utf-8',
  errors: ['not_found', 'temporarily_unavailable'],
  async handle(call, ports) {
    if (!call.principal) throw new Problem('not_found');
    const { form } = await loadForm(ports, call.school, call.params.form ?? '');
    const header = csvLine([...columns, ...form.fields.map(({ label }) => label), 'other_answers']);
    const headers = { 'Content-Disposition': 'attachment; filename="submissions.csv"' };
    return {
      body: await files.of(call.school, header, (after) => readPage(call, ports, form.fields, after)),
      headers,
    };
  },
});
