import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The mails about events that people register for. The names are stored. */
const mailKinds = ['confirmed', 'promoted', 'waitlisted', 'canceled', 'rescheduled', 'day', 'hour'] as const;

const delivery = z.object({
  what: z.enum(mailKinds),
  /** The registration. */
  about: z.string(),
  /** Of what it is about: when the event begins (RFC 3339), or why the registration was canceled. */
  part: z.string(),
  /** Of the registration, when it was told the time of the event; another time makes it pointless. */
  told: z.int().optional(),
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
