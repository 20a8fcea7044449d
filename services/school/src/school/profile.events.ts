import { fileReferenceEvents } from '@lyceum/contracts';
import { type EventOf, type EventTypes, ofStream, personal } from '@lyceum/kernel';
import { z } from 'zod';

/** When comments of members are seen by others: at once, after the first of a person was approved, after each was. */
export const commentPolicies = ['open', 'first_time_held', 'all_held'] as const;

/** An address of the web, or none. */
const url = z.string().nullable();

/** The id of a file of the school, an address elsewhere, or none. */
const image = z.string().nullable();

const legal = z.object({ terms: url, privacy: url, imprint: url });
const tax = z.object({ inclusive: z.boolean(), rate_bp: z.int() });
const notifications = z.object({ orders: z.boolean(), comments: z.boolean(), submissions: z.boolean() });

/** What may be different about a school. An empty personal text means that there is none: null would mean erased. */
const schoolFields = z
  .object({
    name: z.string(),
    tagline: z.string().nullable(),
    logo: image,
    favicon: image,
    locale: z.string(),
    timezone: z.string(),
    currency: z.string(),
    contact_email: personal(z.string(), ofStream),
    social_links: z.array(z.object({ label: z.string(), url: z.string() })),
    legal,
    navigation: z.array(z.object({ label: z.string(), href: z.string() })),
    student_email_to_lecturers: z.boolean(),
    comment_policy: z.enum(commentPolicies),
    tax,
    /** Absent = as before; never said = access stays while a payment is disputed. */
    suspend_access_on_dispute: z.boolean(),
    invoice_details: personal(z.string(), ofStream),
    notifications,
  })
  .partial();

/** The facts of what a school says of itself, in a stream beside that of its existence, which releases before read too. */
export const profileEvents = {
  /** What is named is different from now on; `legal`, `tax` and `notifications` are told whole. */
  SchoolChanged: { version: 1, data: schoolFields },
  /** Its logo and its favicon, where they are files. */
  ...fileReferenceEvents,
  /** Something was sold: amounts of before would mean something else in another currency. */
  CurrencyLocked: { version: 1, data: z.object({}) },
} as const satisfies EventTypes;

/** An event of a school's profile. */
export type ProfileEvent = EventOf<typeof profileEvents>;

/** What may be different about a school, as an event tells it. */
export type SchoolFields = z.output<typeof schoolFields>;
