import { z } from 'zod';
import { published } from '../declaration.ts';

const form = z.object({ form_id: z.string(), page_id: z.string() });
const submission = form.extend({ submission_id: z.string() });

const everyone = (means: string) => ({ feed: { scope: 'forms:read', shows: 'everyone', means } }) as const;
const staff = (means: string) =>
  ({ feed: { scope: 'forms:read', shows: 'staff', means, of: 'submission_id' } }) as const;

/** What becomes of forms, and of what visitors send by them: nothing of what they wrote is in it. */
export const formFacts = {
  FormDefined: published(1, form.extend({ name: z.string() }), everyone('A public page shows a form, or another one')),
  FormRetired: published(1, form, everyone('No public page shows the form any more')),
  FormSubmitted: published(
    1,
    submission.extend({
      email_ref: z
        .string()
        .nullable()
        .meta({ description: 'Under which id the content service keeps the address; null = none was given' }),
      consent: z.boolean().meta({ description: 'Whether the sender agreed to what the form asks' }),
      state: z.string().meta({ description: 'received, accepted or spam' }),
    }),
    staff('A form was sent'),
  ),
  SubmissionAccepted: published(1, submission, staff('A submission is no spam')),
  SubmissionMarkedSpam: published(1, submission, staff('A submission is spam')),
  SubmissionDeleted: published(1, submission, staff('A submission was deleted')),
} as const;
