import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** The mails about an account. */
const mailNames = ['reset', 'verify', 'passwordChanged', 'emailChangePresent', 'emailChangeNext'] as const;
export type AccountMailName = (typeof mailNames)[number];

const letter = z.object({
  what: z.literal('letter'),
  letter: z.enum(mailNames),
  /** The stream whose event asks for it. */
  about: z.string(),
  /** Language of the page on which it was asked for; absent = the school's. */
  language: z.string().optional(),
  /** Pointless from then on, RFC 3339. */
  until: z.string(),
});

/** A client is to be notified that a person has signed out of a session. */
const logout = z.object({
  what: z.literal('logout'),
  client: z.string(),
  account: z.string(),
  sid: z.string(),
  until: z.string(),
});

/** What was signed in or granted before a person was signed out everywhere is void; each is to be ended by itself. */
const signOut = z.object({ what: z.literal('signOut'), account: z.string(), until: z.string() });

/** Somebody without an account, or so it seems, is to get a link that opens one. `about` is the stream of the ask. */
const signUp = z.object({ what: z.literal('signUp'), about: z.string(), language: z.string(), until: z.string() });

const delivery = z.discriminatedUnion('what', [letter, logout, signOut, signUp]);

/** A person who asked for all that is known of them is to get a link to it. `about` is the stream of the request. */
const exportMail = z.object({ what: z.literal('export'), about: z.string(), until: z.string() });

/** A mail or a notification to be delivered. No personal data: the receiver is looked up when it is sent. */
export type Delivery = z.output<typeof delivery> | z.output<typeof exportMail>;

/** What the process remembers of a delivery that did not go through. `key` names it among those of one event. */
export const deliveryEvents = {
  /** Version 2 adds mails about sign-ups. */
  DeliveryPostponed: {
    version: 2,
    data: z.object({ key: z.string(), delivery, tries: z.number().int() }),
    upcasters: [(old: object) => old],
  },
  /** The same of a mail about an export: a type of its own, so that releases before go on reading the others. */
  ExportMailPostponed: {
    version: 1,
    data: z.object({ key: z.string(), delivery: exportMail, tries: z.number().int() }),
  },
  DeliveryAbandoned: { version: 1, data: z.object({ key: z.string(), reason: z.enum(['refused', 'expired']) }) },
} as const;

export type DeliveryEvent = EventOf<typeof deliveryEvents>;
