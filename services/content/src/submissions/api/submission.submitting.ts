import {
  type Call,
  type Operation,
  Problem,
  accepted,
  addressPartition,
  attempt,
  operation,
  perHour,
  perMinute,
  refuseBeyond,
} from '@lyceum/web';
import { formParams, loadForm } from '../../forms/api/loaded-form.ts';
import type { Form } from '../../forms/form.ts';
import type { ContentPorts } from '../../ports/content-ports.ts';
import { isRepetition } from '../../spam/repetition.ts';
import { doubtful, spam, spamScore } from '../../spam/spam.ts';
import { addressHash } from '../../spam/visitor-address.ts';
import { emailAmong, readAnswers } from '../submission.answers.ts';
import type { Answer } from '../submission.events.ts';
import { submissionRejections } from './submission.reading.ts';
import { receiptReply, submitFormBody } from './submission.schema.ts';
import { type Submission, submissionDecider } from '../submission.ts';

/** How often one address may send a form, and how often all of the world may send those of a school. */
const ofAddress = perMinute('form_submissions', 5);
const ofSchool = perHour('school_form_submissions', 3_000);

/** So much text no two people write alike; less, many do. Characters. */
const ofItsOwn = 30;

/** Bytes of a body. */
const bodyLimit = 64 * 1024;

type Submitting = Pick<ContentPorts, 'limits' | 'vault' | 'ephemeral'>;

type SubmitCall = Call<{ params: typeof formParams; query: undefined; body: typeof submitFormBody }>;

async function refuseMany({ limits }: Submitting, { school, address }: SubmitCall): Promise<void> {
  refuseBeyond(await limits.admit(ofAddress, school, addressPartition(address)));
  refuseBeyond(await limits.admit(ofSchool, school));
}

/** What is wrong with a submission, and what becomes of it. */
async function judge(
  ports: Submitting,
  call: SubmitCall,
  { id, fields }: Pick<Form, 'fields'> & { readonly id: string },
  answers: readonly Answer[],
) {
  const { shown_at, website } = call.body;
  const written = new Set(fields.filter(({ type }) => type === 'text').map(({ key }) => key));
  const texts = answers.filter(({ key }) => written.has(key)).map(({ value }) => value);
  const took = shown_at === undefined ? undefined : Date.parse(call.at) - Date.parse(shown_at);
  const isLong = texts.join('').length >= ofItsOwn;
  const isRepeated = isLong && (await isRepetition(ports, call.school, ['form', id], texts));
  const { score, signs } = spamScore({ texts, isTrapped: website !== '', took, isRepeated });
  const state: Submission['state'] = score >= spam ? 'spam' : score >= doubtful ? 'received' : 'accepted';
  return { spam_score: score, spam_signs: [...signs], state };
}

const consentOf = ({ body, at }: SubmitCall, { consent }: Form) =>
  body.consent && consent ? { text: consent, at } : null;

/** Takes what a visitor sends. The sender is not told whether it was taken for spam. */
export const submitForm = ({ limits, vault }: Pick<ContentPorts, 'limits' | 'vault'>): Operation =>
  operation({
    id: 'submitForm',
    method: 'POST',
    path: '/api/forms/{form}/submissions',
    area: 'forms',
    scope: 'account:write',
    anonymous: true,
    staff: [],
    summary: 'Send a form',
    description:
      'By anybody, without a token too; with one it is known as that of the member. All that the form requires has to be answered, and nothing else. At most 5 in a minute from one address, and 64 KiB. Files are not taken.',
    params: formParams,
    body: submitFormBody,
    bodyLimit,
    status: 201,
    reply: receiptReply,
    errors: ['not_found', 'payload_too_large', 'rate_limited'],
    async handle(call, ports) {
      const submitting: Submitting = { limits, vault, ephemeral: ports.ephemeral };
      await refuseMany(submitting, call);
      const { form: id = '' } = call.params;
      const { form } = await loadForm(ports, call.school, id);
      if (form.status !== 'live') throw new Problem('not_found');
      const answers = readAnswers(form.fields, call.body.answers);
      const submission = {
        form_id: id,
        page_id: form.page_id,
        member_id: call.principal?.subject ?? null,
        email: emailAmong(form.fields, answers),
        answers: [...answers],
        consent: consentOf(call, form),
        ip_hash: await addressHash(vault, call.school, call.address),
        tag: form.tag_on_submit,
        ...(await judge(submitting, call, { id, fields: form.fields }, answers)),
      };
      const command = { type: 'SubmitForm', submission } as const;
      const stream = ports.ids.next('submission');
      const { lane, position } = accepted(
        await attempt(call, ports, submissionDecider, stream, command),
        submissionRejections,
      );
      const body = {
        object: 'submission_receipt',
        form_id: id,
        message: form.submit_message,
        created_at: call.at,
        view: call.view,
      };
      return { body, observed: { lane, position } };
    },
  });
