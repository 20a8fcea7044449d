import { type EventOf, type EventTypes, ofStream, personal } from '@lyceum/kernel';
import { z } from 'zod';

const by = z.string();
const about = { form_id: z.string(), page_id: z.string() };

/** What was answered, with what was asked then: the form may ask for something else later. A box that was ticked is `true`. */
const answer = z.object({ key: z.string(), label: z.string(), value: z.string() });

/**
 * The events of a submission, in the stream named after its id. What is personal is encrypted under a key of the submission:
 * whoever sends a form need not be a member.
 */
export const submissionEvents = {
  FormSubmitted: {
    version: 1,
    data: z.object({
      ...about,
      /** The member who sent it; null = nobody knows who it was. */
      member_id: z.string().nullable(),
      /** Empty = none was given. */
      email: personal(z.string(), ofStream),
      answers: personal(z.array(answer), ofStream),
      /** What was agreed to, and when; null = nothing was, or nothing was asked. */
      consent: z.object({ text: z.string(), at: z.string() }).nullable(),
      /** Says of two submissions whether they came from one address; the address is kept nowhere. */
      ip_hash: personal(z.string(), ofStream),
      spam_score: z.int(),
      spam_signs: z.array(z.string()),
      state: z.enum(['received', 'accepted', 'spam']),
      /** The tag that the form gives whoever agrees; null = it gives none. */
      tag: z.string().nullable(),
    }),
  },
  SubmissionAccepted: { version: 1, data: z.object({ ...about, by }) },
  SubmissionMarkedSpam: { version: 1, data: z.object({ ...about, by }) },
  /** The school knows the sender as this member, who was invited by it or known before. */
  SubmissionMatched: { version: 1, data: z.object({ member_id: z.string() }) },
  /** By the staff, because it was kept long enough, or because the member behind it is erased. Its key is destroyed. */
  SubmissionDeleted: {
    version: 1,
    data: z.object({ ...about, by, reason: z.enum(['staff', 'retention', 'erasure']) }),
  },
} as const satisfies EventTypes;

/** An event of a submission. */
export type SubmissionEvent = EventOf<typeof submissionEvents>;

/** What was sent. The personal parts are null once the key is destroyed. */
export type Submitted = Extract<SubmissionEvent, { type: 'FormSubmitted' }>['data'];

/** An answer to a field. */
export type Answer = z.output<typeof answer>;
