import { z } from 'zod';
import { roles } from '../access/roles.ts';
import { darkModes, layouts, typographies } from '../appearance/appearance.ts';
import { fileReferenceFacts } from '../files/file-references.ts';
import { published, subjectEvents } from './declaration.ts';

const member_id = z.string();
const role = z.enum(roles);
const tokens_not_before = z
  .string()
  .meta({ description: 'RFC 3339: a token issued before (its `iat`, whole seconds) is void' });

/** What the school service publishes. */
export const schoolFacts = {
  ...subjectEvents,
  ...fileReferenceFacts,
  SchoolProvisioned: published(
    1,
    z.object({
      slug: z.string(),
      name: z.string(),
      host: z.string(),
      base_url: z.string(),
      currency: z.string(),
      locale: z.string(),
      timezone: z.string(),
    }),
    { feed: { scope: 'school:read', shows: 'school', means: 'The school was opened' } },
  ),
  /** The school answers at another host and base URL from now on; tokens of the old issuer are void. */
  SchoolMoved: published(1, z.object({ host: z.string(), base_url: z.string() }), {
    feed: {
      scope: 'school:read',
      shows: 'everyone',
      means: 'The school has another address; tokens of the old one are void',
    },
  }),
  /** Who may open an account at the school: anybody, or those who are invited, as at first. */
  SchoolSignUpSet: published(1, z.object({ sign_up: z.enum(['open', 'invited']) }), {
    feed: { scope: 'school:read', shows: 'everyone', means: 'Who may open an account was set' },
  }),
  /** What is named is different from now on; what was said at the provisioning counts until then. */
  SchoolChanged: published(
    1,
    z
      .object({
        name: z.string(),
        tagline: z.string().nullable(),
        logo: z.string().nullable(),
        favicon: z.string().nullable(),
        locale: z.string(),
        timezone: z.string(),
        currency: z.string(),
        social_links: z.array(z.object({ label: z.string(), url: z.string() })),
        legal: z.object({
          terms: z.string().nullable(),
          privacy: z.string().nullable(),
          imprint: z.string().nullable(),
        }),
        navigation: z.array(z.object({ label: z.string(), href: z.string() })),
        student_email_to_lecturers: z.boolean(),
        comment_policy: z.enum(['open', 'first_time_held', 'all_held']),
        tax: z.object({ inclusive: z.boolean(), rate_bp: z.number().int() }),
        suspend_access_on_dispute: z.boolean(),
      })
      .partial(),
    { feed: { scope: 'school:read', shows: 'school-changes', means: 'What the school says of itself is different' } },
  ),
  /** Nothing of the school is answered but to its staff, who can read, until it goes on. */
  SchoolSuspended: published(1, z.object({}), {
    urgent: true,
    feed: { scope: 'school:read', shows: 'everyone', means: 'The school is suspended by its operator' },
  }),
  SchoolResumed: published(1, z.object({}), {
    urgent: true,
    feed: { scope: 'school:read', shows: 'everyone', means: 'The school is suspended no longer' },
  }),
  /** As suspended, for ever. */
  SchoolClosed: published(1, z.object({}), {
    urgent: true,
    feed: { scope: 'school:read', shows: 'everyone', means: 'The school is closed for ever' },
  }),
  /** The school answers at this domain too (lower case, A-labels); its issuer and its URLs are as before. */
  DomainVerified: published(1, z.object({ domain: z.string() }), {
    feed: { scope: 'school:read', shows: 'staff', means: 'The school answers at this domain too', of: 'domain' },
  }),
  /** It answers at the domain no longer. */
  DomainRemoved: published(1, z.object({ domain: z.string() }), {
    feed: { scope: 'school:read', shows: 'staff', means: 'The school answers at this domain no longer', of: 'domain' },
  }),
  /** The school looks like this from now on; `palette` holds `#rrggbb`, chosen freely, so readers must see to contrast. */
  AppearancePublished: published(
    1,
    z.object({
      revision: z.number().int(),
      palette: z
        .object({ accent: z.string(), background: z.string(), surface: z.string(), text: z.string() })
        .meta({ id: 'Palette' }),
      typography: z.enum(typographies),
      layout: z.enum(layouts),
      dark_mode: z.enum(darkModes),
      logo_text: z.string().nullable(),
    }),
    { feed: { scope: 'appearance:read', shows: 'everyone', means: 'The school looks like this from now on' } },
  ),
  /** A person belongs to the school. A member's id is the subject (`sub`) of the person's tokens. */
  MemberJoined: published(1, z.object({ member_id, role }), {
    feed: { scope: 'members:read', shows: 'staff', means: 'A person belongs to the school' },
  }),
  /** Requests count with the new role at once, whatever role their token was issued with. */
  MemberRoleChanged: published(1, z.object({ member_id, from: role, to: role, by: z.string(), tokens_not_before }), {
    urgent: true,
    feed: { scope: 'members:read', shows: 'staff', means: 'A member has another role' },
  }),
  /** None of the member's tokens counts until the member is reinstated. */
  MemberSuspended: published(1, z.object({ member_id, tokens_not_before }), {
    urgent: true,
    feed: { scope: 'members:read', shows: 'staff', means: 'A member may not use the school for now' },
  }),
  /** Tokens count again, but for those from before the suspension. */
  MemberReinstated: published(1, z.object({ member_id, role }), {
    urgent: true,
    feed: { scope: 'members:read', shows: 'staff', means: 'A suspended member may use the school again' },
  }),
  /** None of the person's tokens counts ever again. */
  MemberErased: published(1, z.object({ member_id, tokens_not_before }), {
    urgent: true,
    feed: { scope: 'members:read', shows: 'staff', means: 'What was known of a member was erased' },
  }),
} as const;
