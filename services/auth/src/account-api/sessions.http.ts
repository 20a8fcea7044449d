import { Problem, type Call, type Ports, listOf, operation } from '@lyceum/web';
import { z } from 'zod';
import { grantDecider } from '../domain/grants/grant.ts';
import { endSession, accountSessions } from '../domain/sessions/account-sessions.ts';
import type { SessionDocument } from '../domain/sessions/session.projection.ts';
import { streamOf } from '../domain/streams.ts';
import { read } from '../domain/write.ts';
import { callerOf, holderOf } from './account-holder-of-call.ts';

const ownSession = z
  .object({
    id: z.string().meta({ description: 'The `sid` of its tokens.' }),
    object: z.literal('session'),
    browser: z.string().nullable().meta({ example: 'Firefox' }),
    system: z.string().nullable().meta({ example: 'Linux' }),
    address: z.string().nullable().meta({ description: 'Internet address of the sign-in.', example: '192.0.2.1' }),
    current: z.boolean().meta({ description: 'The token of this call was given in it.' }),
    signed_in_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().meta({ description: 'To the hour.' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'OwnSession', description: 'A browser in which the person is signed in.' });

const toBody = (current: string | undefined, row: SessionDocument) => ({
  id: row.sid,
  object: 'session',
  browser: row.browser,
  system: row.system,
  address: row.address,
  current: row.sid === current,
  signed_in_at: row.since,
  last_used_at: row.used,
  expires_at: new Date(row.expires * 1000).toISOString(),
});

async function sessionOf({ log }: Pick<Ports, 'log'>, call: Call): Promise<string | undefined> {
  return (await read({ log }, grantDecider, call.school, streamOf('grant', callerOf(call).grant)))?.sid;
}

/** Lists the browsers in which the token's person is signed in. */
export const listOwnSessions = operation({
  id: 'listOwnSessions',
  method: 'GET',
  path: '/api/account/sessions',
  area: 'account',
  summary: 'List the browsers in which you are signed in',
  description: 'Last used first. The list is whole and up to date.',
  scope: 'account:read',
  anonymous: false,
  status: 200,
  reply: listOf(ownSession),
  errors: ['temporarily_unavailable'],
  async handle(call, ports) {
    const current = await sessionOf(ports, call);
    const data = (await accountSessions(ports, holderOf(call))).map((row) => toBody(current, row));
    return { body: { object: 'list', data, has_more: false, next_cursor: null } };
  },
});

/** Signs the token's person out of one browser. */
export const endOwnSession = operation({
  id: 'endOwnSession',
  method: 'DELETE',
  path: '/api/account/sessions/{session_id}',
  area: 'account',
  summary: 'Sign out of one browser',
  description: 'Ends the sign-in. Applications that were connected in it stay connected.',
  scope: 'account:write',
  anonymous: false,
  params: z.strictObject({ session_id: z.string().min(1).max(64) }),
  status: 204,
  errors: ['not_found', 'temporarily_unavailable'],
  async handle(call, ports) {
    if (await endSession(ports, holderOf(call), call.params.session_id)) return {};
    throw new Problem('not_found', 'You have no such session');
  },
});
