import { fold } from '@lyceum/eventlog';
import { Problem, accepted, asOf, attempt, memoized, operation } from '@lyceum/web';
import { z } from 'zod';
import { signUps } from './school.events.ts';
import { type SchoolState, schoolDecider } from './school.ts';

const schoolReply = z
  .object({
    id: z.string().meta({ example: 'school_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    object: z.literal('school'),
    name: z.string().meta({ example: 'Lantern Craft School' }),
    primary_domain: z
      .string()
      .meta({ description: 'Host, with the port unless it is the default.', example: 'lantern.example' }),
    base_url: z.string().meta({ description: 'Origin and issuer.', example: 'https://lantern.example' }),
    locale: z.string().meta({ description: 'BCP 47.', example: 'en' }),
    timezone: z.string().meta({ description: 'IANA name.', example: 'Europe/Lisbon' }),
    currency: z.string().meta({ description: 'ISO 4217.', example: 'USD' }),
    sign_up: z.enum(signUps).meta({ description: 'Who may open an account: anybody, or those who are invited.' }),
    slug: z.string().meta({ sees: 'staff', description: 'Name on the platform.', example: 'lantern-craft' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: z.int().min(1).meta({ description: 'Also the ETag.' }),
  })
  .meta({ id: 'School', description: 'The school itself.' });

/** The school that the request is for, read from its events. */
export const getSchool = operation({
  id: 'getSchool',
  method: 'GET',
  path: '/api/school',
  area: 'school',
  summary: 'Read the school',
  description: 'Name, address, locale, time zone and currency of this school. Staff also see its slug.',
  scope: 'school:read',
  anonymous: true,
  status: 200,
  reply: schoolReply,
  async handle(call, { log }) {
    const { state, version, lane, position } = await fold(log, schoolDecider, call.school, call.school);
    if (!state) throw new Problem('not_found', 'There is no school at this address');
    return { body: documentOf(state, call.school), version, observed: { lane, position } };
  },
});

function schoolDocument(state: NonNullable<SchoolState>, id: string) {
  const { name, host, base_url, locale, timezone, currency, sign_up, slug, version } = state;
  return {
    id,
    object: 'school',
    name,
    primary_domain: host,
    base_url,
    locale,
    timezone,
    currency,
    sign_up,
    slug,
    created_at: state.provisioned_at,
    updated_at: state.changed_at,
    version,
  };
}

const documentOf = memoized(schoolDocument);

const signUpBody = z.strictObject({ sign_up: z.enum(signUps) }).meta({ id: 'SetSignUp', example: { sign_up: 'open' } });

/** Lets everybody open an account, or only those who are invited. */
export const setSignUp = operation({
  id: 'setSignUp',
  method: 'PUT',
  path: '/api/school/sign_up',
  area: 'school',
  summary: 'Set who may open an account',
  description: 'open: anybody, as a member; invited: only who has an invitation. In force within a second.',
  scope: 'school:write',
  anonymous: false,
  roles: ['owner', 'admin'],
  body: signUpBody,
  ifMatch: 'accepted',
  status: 200,
  reply: schoolReply,
  async handle(call, ports) {
    const command = { type: 'SetSignUp', sign_up: call.body.sign_up } as const;
    const done = accepted(await attempt(call, ports, schoolDecider, call.school, command), { not_found: 404 });
    return { body: schoolDocument(done.state!, call.school), ...asOf(done) };
  },
});
