import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The mails about what people buy. The names are stored. */
const mailKinds = ['free', 'receipt', 'refunded', 'transfer', 'failed', 'past_due', 'renewal', 'ended'] as const;

const delivery = z.object({
  what: z.enum(mailKinds),
  /** The stream of the order, invoice or subscription. */
  about: z.string(),
  /** Of what it is about: the payment, or the end of the period (RFC 3339). */
  part: z.string().optional(),
  /** Since when it is due, and when it is to be sent if that is later; pointless from `until` on. RFC 3339 UTC. */
  since: z.string(),
  from: z.string().optional(),
  until: z.string(),
});

/** A mail to be sent. No personal data: whom it goes to, and what it says, is looked up when it is sent. */
export type MailDelivery = z.output<typeof delivery>;

/** What the process remembers of a mail that did not go through or waits. `key` names it among those of one event. */
export const mailEvents = {
  MailPostponed: { version: 1, data: z.object({ key: z.string(), delivery, tries: z.int() }) },
  MailAbandoned: { version: 1, data: z.object({ key: z.string(), reason: z.enum(['refused', 'expired']) }) },
} as const satisfies EventTypes;

/** An event of the process that sends mails. */
export type MailEvent = EventOf<typeof mailEvents>;
