import { fold } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { formIdOf, formStream } from '../forms/form.ts';
import { doubtful, spam, spamScore } from '../spam/spam.ts';
import { addressHash } from '../spam/visitor-address.ts';
import { emailAmong, readAnswers } from '../submissions/submission.answers.ts';
import { type NewSubmission, submissionDecider } from '../submissions/submission.ts';
import { demoPageId } from './demo-publishing.ts';
import { type DemoSubmission, demoSubmissions } from './texts/demo-submissions.ts';
import { type DemoSchool, type DemoWriting, later } from './demo-writing.ts';

const stateOf = (score: number): NewSubmission['state'] =>
  score >= spam ? 'spam' : score >= doubtful ? 'received' : 'accepted';

/** A submission as the form took it; undefined where no page ever showed the form. */
async function submitted(school: DemoSchool, { log }: DemoWriting, demo: DemoSubmission, index: number) {
  const { page, form: key, at, answers: given, by, consent, took, isTrapped } = demo;
  const form_id = formIdOf(demoPageId(school.id, { kind: 'custom', slug: page }), key);
  const { state: form } = await fold(log, formStream, school.id, form_id);
  if (!form) return undefined;
  const answers = readAnswers(form.fields, given);
  const texts = new Set(form.fields.filter(({ type }) => type === 'text').map((field) => field.key));
  const written = answers.filter((answer) => texts.has(answer.key)).map(({ value }) => value);
  const { score, signs } = spamScore({ texts: written, took, isTrapped });
  // An address that stands in documents only.
  const ip_hash = await addressHash(school.ports.vault, school.id, `198.51.100.${index + 1}`);
  const submission: NewSubmission = {
    form_id,
    page_id: form.page_id,
    member_id: by === undefined ? null : school.account(by),
    email: emailAmong(form.fields, answers),
    answers: [...answers],
    consent: consent && form.consent ? { text: form.consent, at } : null,
    ip_hash,
    tag: form.tag_on_submit,
    spam_score: score,
    spam_signs: [...signs],
    state: stateOf(score),
  };
  return submission;
}

async function submit(school: DemoSchool, writing: DemoWriting, demo: DemoSubmission, index: number): Promise<void> {
  const { at, by, fate } = demo;
  if (by !== undefined && (await school.isErased(by))) return;
  const submission = await submitted(school, writing, demo, index);
  if (!submission) return;
  const stream = `submission_${uuidv5('demo-submission', submission.form_id, at)}`;
  const command = { type: 'SubmitForm', submission } as const;
  if (!(await writing.do(submissionDecider, { stream, at, command })) || fate === undefined) return;
  const admin = school.account('admin');
  const decided =
    fate === 'deleted'
      ? ({ type: 'DeleteSubmission', by: admin, reason: 'staff' } as const)
      : ({ type: 'AcceptSubmission', by: admin } as const);
  await writing.do(submissionDecider, { stream, at: later(at, 24), command: decided });
}

/** Writes what visitors of a demo school sent by its forms, after its pages. */
export async function sendForms(school: DemoSchool): Promise<void> {
  await school.write(async (writing) => {
    for (const [index, demo] of (demoSubmissions[school.slug] ?? []).entries())
      await submit(school, writing, demo, index);
  });
}
