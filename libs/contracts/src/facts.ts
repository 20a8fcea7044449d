import { z } from 'zod';
import { darkModes, layouts, typographies } from './appearance/appearance.ts';
import { roles } from './access/roles.ts';

/** A fact's data schema and its version. What a service publishes is declared here and nowhere else. */
const fact = <T extends z.ZodType>(version: number, data: T) => ({ version, data });

const jwk = z.record(z.string(), z.unknown());

const member_id = z.string();
const role = z.enum(roles);
/** RFC 3339: a token issued before (its `iat`, whole seconds) is void. */
const tokens_not_before = z.string();

/** What every service that publishes facts may publish. */
const subjectFacts = {
  /** A person of the school was erased: whoever holds data about them destroys it. */
  SubjectErased: fact(1, z.object({ subject: z.string() })),
  /** From here on nothing is told of the school: revocations among it. Nobody of it is to be let in meanwhile. */
  FactsWithheld: fact(1, z.object({})),
  /** What was withheld is told, right before this. */
  FactsResumed: fact(1, z.object({})),
} as const;

/** What the school service publishes. */
export const schoolFacts = {
  ...subjectFacts,
  SchoolProvisioned: fact(
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
  ),
  /** The school answers at another host and base URL from now on; tokens of the old issuer are void. */
  SchoolMoved: fact(1, z.object({ host: z.string(), base_url: z.string() })),
  /** The school answers at this domain too (lower case, A-labels); its issuer and its URLs are as before. */
  DomainVerified: fact(1, z.object({ domain: z.string() })),
  /** It answers at the domain no longer. */
  DomainRemoved: fact(1, z.object({ domain: z.string() })),
  /** Who may open an account at the school: anybody, or those who are invited, as at first. */
  SchoolSignUpSet: fact(1, z.object({ sign_up: z.enum(['open', 'invited']) })),
  /** A person belongs to the school. A member's id is the subject (`sub`) of the person's tokens. */
  MemberJoined: fact(1, z.object({ member_id, role })),
  /** Requests count with the new role at once, whatever role their token was issued with. */
  MemberRoleChanged: fact(1, z.object({ member_id, from: role, to: role, by: z.string(), tokens_not_before })),
  /** None of the member's tokens counts until the member is reinstated. */
  MemberSuspended: fact(1, z.object({ member_id, tokens_not_before })),
  /** Tokens count again, but for those from before the suspension. */
  MemberReinstated: fact(1, z.object({ member_id, role })),
  /** None of the person's tokens counts ever again. */
  MemberErased: fact(1, z.object({ member_id, tokens_not_before })),
  /** The school looks like this from now on; `palette` holds `#rrggbb`, chosen freely, so readers must see to contrast. */
  AppearancePublished: fact(
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
  ),
} as const;

/** What the authorization server publishes. */
export const authFacts = {
  ...subjectFacts,
  /** A public key that may verify signatures of this school. */
  SigningKeyPublished: fact(1, z.object({ kid: z.string(), alg: z.string(), public_jwk: jwk })),
  SigningKeyRetired: fact(1, z.object({ kid: z.string() })),
  /** Every token of the grant is void; forgotten after `until` (RFC 3339), when the last has expired. */
  GrantRevoked: fact(1, z.object({ grant: z.string(), until: z.string() })),
  /** One access token is void; forgotten after `until`. */
  TokenRevoked: fact(1, z.object({ jti: z.string(), until: z.string() })),
  /** No token of the client counts until the client is enabled, and of those from before none ever again. */
  ClientDisabled: fact(1, z.object({ client: z.string(), tokens_not_before })),
  ClientEnabled: fact(1, z.object({ client: z.string() })),
  /** A person has an account here; its id is the subject (`sub`) of the person's tokens. */
  AccountOpened: fact(1, z.object({ account_id: z.string() })),
  /** The name or the e-mail address of the account is another one; who needs it asks. */
  AccountChanged: fact(1, z.object({ account_id: z.string() })),
  /** The person is signed out everywhere: every token issued before is void. */
  SessionsEnded: fact(1, z.object({ account_id: z.string(), tokens_not_before })),
} as const;

/** In minor units. */
const price = z.object({ id: z.string(), amount: z.number().int(), currency: z.string() }).meta({ id: 'ShownPrice' });

const course_id = z.string();
const lesson_id = z.string();

/** What everybody may know of a lesson. `release` says when it opens: at once, or by its `type`. */
const lesson = z.object({
  course_id,
  lesson_id,
  title: z.string(),
  type: z.string(),
  duration_s: z.number().int(),
  preview: z.boolean(),
  required: z.boolean(),
  pass_mark: z.number().int().nullable(),
  release: z.object({
    type: z.enum(['immediate', 'after_days', 'at', 'after_lesson']),
    days: z.number().int().optional(),
    time: z.string().optional(),
    lesson_id: z.string().optional(),
  }),
});

/** What has a price: a course or a digital product. */
const item = { item_type: z.enum(['course', 'digital_product']), item_id: z.string() };

/** Nobody ever found the course in the lists. Left out: somebody may have. */
const never_listed = z.literal(true).optional();

const teaching = z.object({ course_id, lecturer_id: z.string() });

/** What the catalog service publishes. */
export const catalogFacts = {
  ...subjectFacts,
  CoursePublished: fact(
    1,
    z.object({ course_id: z.string(), slug: z.string(), title: z.string(), access: z.string(), listed: z.boolean() }),
  ),
  /** A published course looks like this: follows its publication, and each change while it is published. */
  CourseShown: fact(
    1,
    z.object({
      course_id,
      slug: z.string(),
      title: z.string(),
      summary: z.string().nullable(),
      access: z.string(),
      listed: z.boolean(),
      prices: z.array(price),
      /** null = no limit. */
      seat_limit: z.number().int().nullable(),
      lecturer_ids: z.array(z.string()),
      /** Days that access lasts; null = forever. */
      access_days: z.number().int().nullable(),
      never_listed,
    }),
  ),
  CourseUnpublished: fact(1, z.object({ course_id, never_listed })),
  CourseArchived: fact(1, z.object({ course_id, never_listed })),
  /** A price of a course or digital product, drafts too, is this from `effective_at` on (RFC 3339). */
  PriceSet: fact(
    1,
    z.object({
      ...item,
      price_id: z.string(),
      /** In minor units. */
      amount: z.number().int(),
      currency: z.string(),
      effective_at: z.string(),
    }),
  ),
  PriceRemoved: fact(1, z.object({ ...item, price_id: z.string(), effective_at: z.string() })),
  /** So many may have a seat in a course, drafts too; null = no limit. */
  SeatLimitChanged: fact(1, z.object({ course_id, seat_limit: z.number().int().nullable() })),
  /** The lecturer teaches the course, drafts too. */
  LecturerAssigned: fact(1, teaching),
  LecturerUnassigned: fact(1, teaching),
  LessonPublished: fact(1, lesson),
  /** A published lesson is another one in its outline or in what it teaches. */
  LessonChanged: fact(1, lesson),
  LessonUnpublished: fact(1, z.object({ course_id, lesson_id })),
  LessonRemoved: fact(1, z.object({ course_id, lesson_id })),
  /** A digital product is public and looks like this. `files` counts them. */
  DigitalProductShown: fact(
    1,
    z.object({
      product_id: z.string(),
      slug: z.string(),
      title: z.string(),
      summary: z.string().nullable(),
      access: z.string(),
      prices: z.array(price),
      files: z.number().int(),
    }),
  ),
  DigitalProductUnpublished: fact(1, z.object({ product_id: z.string() })),
  DigitalProductArchived: fact(1, z.object({ product_id: z.string() })),
  /** How many published lessons a course has, and how long they take, seconds. */
  CurriculumTotalled: fact(1, z.object({ course_id, lesson_count: z.number().int(), duration_s: z.number().int() })),
} as const;

/** Facts that decide who may do what: nobody may learn them late, so whoever writes one publishes it at once. */
export const urgentFacts: ReadonlySet<string> = new Set<keyof typeof schoolFacts | keyof typeof authFacts>([
  'MemberRoleChanged',
  'MemberSuspended',
  'MemberReinstated',
  'MemberErased',
  'SigningKeyRetired',
  'GrantRevoked',
  'TokenRevoked',
  'ClientDisabled',
  'ClientEnabled',
  'SessionsEnded',
]);

/** Every integration event by its owner. */
export const facts = { school: schoolFacts, auth: authFacts, catalog: catalogFacts } as const;

/** A service that publishes facts. */
export type FactSource = keyof typeof facts;

/** A fact of a source, with typed data. */
export type FactOf<Source extends FactSource> = {
  [T in keyof (typeof facts)[Source] & string]: (typeof facts)[Source][T] extends { data: infer D extends z.ZodType }
    ? { readonly type: T; readonly data: z.infer<D> }
    : never;
}[keyof (typeof facts)[Source] & string];
