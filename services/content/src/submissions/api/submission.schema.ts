import { instant } from '@lyceum/contracts';
import { membersOf, paramsOf } from '@lyceum/service';
import { z } from 'zod';
import { formParams } from '../../forms/api/loaded-form.ts';
import { spamSigns } from '../../spam/spam.ts';
import { givenAnswer } from '../submission.answers.ts';
import { submissionStates } from '../submission.ts';

const { first, last } = membersOf('submission', 'submission');

const answer = z
  .object({
    key: z.string(),
    label: z.string().meta({ description: 'What was asked, as it was then.' }),
    value: z.string().meta({ description: '`true` where a box was ticked.' }),
  })
  .meta({ id: 'FormAnswer', description: 'An answer to a field of a form.' });

/** A submission as the staff read it. */
export const submissionReply = z
  .object({
    ...first,
    form_id: z.string(),
    page_id: z.string(),
    member_id: z.string().nullable().meta({ description: 'The member who sent it, or whom the school knows by it.' }),
    email: z.string().nullable().meta({ description: 'The first address among the answers.' }),
    answers: z.array(answer),
    consent: z
      .object({ text: z.string(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: 'What the sender agreed to, and when; null = to nothing.' }),
    state: z.enum(submissionStates).meta({ description: 'received = doubtful: look at it.' }),
    spam_score: z.int().min(0).max(100),
    spam_signs: z.array(z.enum(spamSigns)),
    ip_hash: z.string().meta({ description: 'The same for what came from one address. The address is kept nowhere.' }),
    ...last,
  })
  .meta({ id: 'Submission', description: 'What a visitor sent by a form.' });

/** A submission of a path. */
export const submissionParams = z.object({ ...formParams.shape, ...paramsOf('submission', false).shape });

/** The body that sends a form. */
export const submitFormBody = z
  .strictObject({
    answers: z.record(z.string().max(40), givenAnswer).meta({ description: 'By the keys of the fields.' }),
    consent: z.boolean().default(false).meta({ description: 'Whether the sender agrees to what the form asks.' }),
    shown_at: instant()
      .optional()
      .meta({ description: 'When the form was shown: what is sent at once was filled in by no person.' }),
    website: z
      .string()
      .max(2_000)
      .default('')
      .meta({ description: 'A trap: people do not see this field, so it stays empty.' }),
  })
  .meta({
    id: 'SubmitForm',
    description: 'What a form asks for.',
    example: { answers: { name: 'Ada', email: 'ada@example.org' }, consent: true },
  });

/** What the sender of a form reads: nothing that says what became of it. */
export const receiptReply = z
  .object({
    object: z.literal('submission_receipt'),
    form_id: z.string(),
    message: z.string().meta({ description: 'What the school says to whoever has sent the form.' }),
    created_at: z.iso.datetime(),
    view: membersOf('submission', 'submission').last.view,
  })
  .meta({ id: 'SubmissionReceipt', description: 'That a form was sent.' });
