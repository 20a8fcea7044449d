import { imageAddress, line, roles, timeZone } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type Call, type Operation, type Ports, Problem, accepted, asOf, attempt, operation } from '@lyceum/web';
import { z } from 'zod';
import { callerOf } from './account-holder-of-call.ts';
import type { AvatarOf } from './account.avatar.ts';
import { accountDecider } from '../domain/accounts/account.ts';
import { openAccountIn } from '../domain/accounts/account.state.ts';
import { streamOf } from '../domain/streams.ts';
import { memberStatus } from '../school-projections/member.projection.ts';

const isLanguageTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

const locale = z
  .string()
  .max(35)
  .refine(isLanguageTag, 'must be a BCP 47 language tag')
  .meta({ description: 'BCP 47 tag of the language that the person prefers.', example: 'pt-PT' });

const accountReply = z
  .object({
    object: z.literal('account'),
    authenticated: z.boolean().meta({ description: 'false without a token: then there is nothing else.' }),
    sub: z.string().optional(),
    email: z.string().optional(),
    email_verified: z.boolean().optional(),
    name: z.string().optional(),
    locale: z.string().nullable().optional(),
    timezone: z.string().nullable().optional().meta({ description: 'IANA name; null = never said.' }),
    avatar: imageAddress().nullable().optional().meta({ description: 'Left out while it cannot be told.' }),
    role: z.enum(roles).optional(),
    updated_at: z.iso.datetime().optional(),
    version: z.int().optional().meta({ description: 'Also the ETag: send it in If-Match.' }),
  })
  .meta({ id: 'Account', description: 'The account that the token stands for.' });

const changeBody = z
  .strictObject({
    name: line(1, 200).optional(),
    locale: locale.nullable().optional(),
    timezone: timeZone().nullable().optional(),
  })
  .meta({
    id: 'ChangeAccount',
    description: 'JSON Merge Patch (RFC 7396).',
    example: { name: 'Ada Byron', locale: 'en' },
  });

type Holding = Pick<Call, 'school' | 'principal'>;

/** The account of the token's subject, as of now. */
async function load({ school, principal }: Holding, { log, documents }: Ports) {
  const { subject, role } = callerOf({ principal });
  const stream = streamOf('account', subject);
  const folded = stream === undefined ? undefined : await fold(log, accountDecider, school, stream);
  const found = folded && openAccountIn(folded.state);
  if (stream === undefined || !folded || !found) throw accountGone();
  const member = await memberStatus({ documents }, school, subject);
  return { subject, stream, folded, found, role: member?.role ?? role };
}

const accountGone = () => new Problem('not_found', 'There is no such account any more');

type Loaded = Awaited<ReturnType<typeof load>>;

const shown = (
  sub: string,
  { email, emailVerified, name, locale: tag, timezone, updated }: Loaded['found'],
  { role, avatar }: { readonly role: Loaded['role']; readonly avatar: string | null | undefined },
) => ({
  object: 'account',
  authenticated: true,
  sub,
  email,
  email_verified: emailVerified,
  name,
  locale: tag,
  timezone,
  ...(avatar === undefined ? {} : { avatar }),
  role,
  updated_at: updated,
});

/** Reads the account that the token names. */
export const getAccount = (avatarOf: AvatarOf): Operation =>
  operation({
    id: 'getAccount',
    method: 'GET',
    path: '/api/account',
    area: 'account',
    summary: 'Read your account',
    description: 'Who the token stands for. Without a token: `authenticated` is false.',
    scope: 'account:read',
    anonymous: true,
    status: 200,
    reply: accountReply,
    async handle(call, ports) {
      if (!call.principal) return { body: { object: 'account', authenticated: false } };
      const [{ folded, found, role }, avatar] = await Promise.all([load(call, ports), avatarOf(call)]);
      const { version } = folded;
      const body = { ...shown(call.principal.subject, found, { role, avatar }), version };
      // The avatar is another one at the same version.
      return { body, ...asOf(folded), fleeting: true };
    },
  });

/** Changes how the person wants to be called, in which language, and where their clock is. */
export const changeAccount = (avatarOf: AvatarOf): Operation =>
  operation({
    id: 'changeAccount',
    method: 'PATCH',
    path: '/api/account',
    area: 'account',
    summary: 'Change your account',
    description:
      'A JSON Merge Patch of name, language and time zone. Password and role are never changed through a token.',
    scope: 'account:write',
    anonymous: false,
    body: changeBody,
    ifMatch: 'accepted',
    status: 200,
    reply: accountReply,
    errors: ['not_found'],
    async handle(call, ports) {
      // Asked before the write: whoever goes away while waiting for it has changed nothing.
      const [{ subject, stream, role }, avatar] = await Promise.all([load(call, ports), avatarOf(call)]);
      const { name, locale: tag, timezone } = call.body;
      const command = { type: 'ChangeProfile', name, locale: tag, timezone } as const;
      const statuses = { email_taken: 409, invalid_state: 409, not_found: 404 } as const;
      const done = accepted(await attempt(call, ports, accountDecider, stream, command), statuses);
      const { version } = done;
      const changed = openAccountIn(done.state);
      if (!changed) throw accountGone();
      const body = { ...shown(subject, changed, { role, avatar }), version };
      return { body, ...asOf(done) };
    },
  });
