import {
  currencyCode,
  httpsUrl,
  imageAddress,
  imageInput,
  languageTag,
  line,
  link,
  linkTarget,
  paragraph,
  timeZone,
} from '@lyceum/contracts';
import { z } from 'zod';
import { schoolStatuses } from './lifecycle.ts';
import { commentPolicies } from './profile.events.ts';
import { signUps } from './school.events.ts';

const staff = { sees: 'staff' } as const;

const name = line(1, 200).meta({ example: 'Lantern Craft School' });
const tagline = line(1, 200).meta({ example: 'Light from paper' });
const email = z.email().max(254).meta({ example: 'hello@lantern.example' });
const socialLinks = z.array(link).max(10);
const navigation = z
  .array(z.strictObject({ label: line(1, 60), href: linkTarget() }).meta({ id: 'NavigationItem' }))
  .max(20)
  .meta({ description: 'What the menu of the site has, in its order.' });
const legal = { terms: httpsUrl().nullable(), privacy: httpsUrl().nullable(), imprint: httpsUrl().nullable() };
const tax = {
  inclusive: z.boolean().meta({ description: 'Prices have the tax in them.' }),
  rate_bp: z.int().min(0).max(10_000).meta({ description: 'Basis points: 2300 = 23 %.', example: 2300 }),
};
const onDispute = z.boolean().meta({
  description:
    'What was bought rests while its payment is disputed: it is back when the dispute is won, gone when it is lost.',
});
const notifications = { orders: z.boolean(), comments: z.boolean(), submissions: z.boolean() };
const onlyStaffEmail = z.boolean().meta({ description: 'Lecturers see e-mail addresses of their students whole.' });
const commentPolicy = z.enum(commentPolicies).meta({
  description: 'When others see a comment: at once, after the first of a person was approved, after each was.',
});
const invoiceDetails = paragraph(2000).meta({ description: 'Who invoices, as it stands on invoices.' });

const settingsReply = z
  .object({
    student_email_to_lecturers: onlyStaffEmail,
    comment_policy: commentPolicy,
    tax: z.object(tax),
    suspend_access_on_dispute: onDispute,
    invoice_details: invoiceDetails.nullable(),
    notifications: z
      .object(notifications)
      .meta({ description: 'Of what the contact address is written to, once there is such a thing.' }),
  })
  .meta({ id: 'SchoolSettings', description: 'How the school is run.' });

/** A school as clients read it. */
export const schoolReply = z
  .object({
    id: z.string().meta({ example: 'school_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    object: z.literal('school'),
    name,
    tagline: tagline.nullable(),
    logo: imageAddress().nullable(),
    favicon: imageAddress().nullable(),
    primary_domain: z
      .string()
      .meta({ description: 'Host, with the port unless it is the default.', example: 'lantern.example' }),
    base_url: z.string().meta({ description: 'Origin and issuer.', example: 'https://lantern.example' }),
    locale: languageTag(),
    timezone: timeZone(),
    currency: currencyCode(),
    contact_email: email.nullable(),
    social_links: socialLinks,
    legal: z.object(legal).meta({ description: 'Where the legal texts are; null = none.' }),
    navigation,
    sign_up: z.enum(signUps).meta({ description: 'Who may open an account: anybody, or those who are invited.' }),
    slug: z.string().meta({ ...staff, description: 'Name on the platform.', example: 'lantern-craft' }),
    status: z.enum(schoolStatuses).meta({ ...staff, description: 'closed is for ever.' }),
    suspended_for: z
      .string()
      .nullable()
      .meta({ ...staff, description: 'Why the operator suspended the school.' }),
    is_currency_locked: z
      .boolean()
      .meta({ ...staff, description: 'The school has sold something: the currency stays as it is.' }),
    domains: z
      .array(
        z.object({ host: z.string(), state: z.enum(['pending', 'verified', 'lapsed']) }).meta({ id: 'DomainOfSchool' }),
      )
      .meta({ ...staff, description: 'Custom domains; `/api/school/domains` tells more of them.' }),
    limits: z
      .object({ domains: z.int().meta({ description: 'How many custom domains the school may have.' }) })
      .meta({ ...staff, description: 'What the platform allows the school.' }),
    settings: settingsReply.meta(staff),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: z.int().min(1).meta({ description: 'Also the ETag: send it in If-Match.' }),
  })
  .meta({ id: 'School', description: 'The school itself.' });

/** What a PATCH may change. */
export const changeSchoolBody = z
  .strictObject({
    name: name.optional(),
    tagline: tagline.nullable().optional(),
    logo: imageInput().nullable().optional(),
    favicon: imageInput().nullable().optional(),
    locale: languageTag().optional(),
    timezone: timeZone().optional(),
    currency: currencyCode().optional(),
    contact_email: email.nullable().optional(),
    social_links: socialLinks.nullable().optional(),
    legal: z.strictObject(legal).partial().optional(),
    navigation: navigation.nullable().optional(),
    settings: z
      .strictObject({
        student_email_to_lecturers: onlyStaffEmail.optional(),
        comment_policy: commentPolicy.optional(),
        tax: z.strictObject(tax).partial().optional(),
        suspend_access_on_dispute: onDispute.optional(),
        invoice_details: invoiceDetails.nullable().optional(),
        notifications: z.strictObject(notifications).partial().optional(),
      })
      .optional(),
  })
  .meta({
    id: 'ChangeSchool',
    description:
      'JSON Merge Patch (RFC 7396): what is left out stays, also in `legal` and `settings`, null clears, a list replaces the list.',
    example: { tagline: 'Light from paper', settings: { comment_policy: 'open' } },
  });

export const signUpBody = z
  .strictObject({ sign_up: z.enum(signUps) })
  .meta({ id: 'SetSignUp', example: { sign_up: 'open' } });

/** The slug is typed by who closes a school: nothing opens it again. */
export const closeSchoolBody = z
  .strictObject({
    slug: z.string().meta({ description: 'The slug of the school, so that none is closed by accident.' }),
  })
  .meta({ id: 'CloseSchool', example: { slug: 'lantern-craft' } });
