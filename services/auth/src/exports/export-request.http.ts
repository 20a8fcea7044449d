import { fold } from '@lyceum/eventlog';
import { isRejection, isoTime } from '@lyceum/kernel';
import { type Operation, Problem, asOf, attempt, operation } from '@lyceum/web';
import { z } from 'zod';
import { callerOf } from '../account-api/account-holder-of-call.ts';
import { findOpenAccount } from '../domain/accounts/account-registry.ts';
import { lifetimes } from '../domain/lifetimes.ts';
import {
  type ExportRequestState,
  exportRequestDecider,
  exportRequestStream,
  liveExport,
  nextExportAt,
} from './export-request.ts';

const path = '/api/account/export';

const reply = z
  .object({
    object: z.literal('account_export'),
    status: z.enum(['none', 'requested']).meta({
      description: 'requested: a mail with a link is on its way, or was sent. The link works until `expires_at`.',
    }),
    requested_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    next_at: z.iso.datetime().nullable().meta({ description: 'When it can be asked for again; null = at any time.' }),
  })
  .meta({ id: 'AccountExport', description: 'The export of all that is known of you.' });

/** The request whose link works, as of a time. */
function shown(state: ExportRequestState, now: string) {
  const live = liveExport(state, now);
  const next = live && nextExportAt(live);
  return {
    object: 'account_export',
    status: live ? 'requested' : 'none',
    requested_at: live?.requested_at ?? null,
    expires_at: live?.expires_at ?? null,
    next_at: next !== undefined && now < next ? next : null,
  };
}

const get = operation({
  id: 'getOwnExport',
  method: 'GET',
  path,
  area: 'account',
  summary: 'Read whether an export of your data was asked for',
  description: '`none` when you have not asked for it, or the link has expired.',
  scope: 'account:read',
  anonymous: false,
  status: 200,
  reply,
  async handle(call, { log }) {
    const stream = exportRequestStream(callerOf(call).subject);
    const { state, lane, position } = await fold(log, exportRequestDecider, call.school, stream);
    // What it says changes with time, without a new version, so there is no ETag.
    return { body: shown(state, call.at), observed: { lane, position } };
  },
});

/** Seconds from a time to another, at least one. */
const secondsUntil = (then: string, now: string): string =>
  `${Math.max(1, Math.ceil((Date.parse(then) - Date.parse(now)) / 1000))}`;

const request = operation({
  id: 'requestOwnExport',
  method: 'POST',
  path,
  area: 'account',
  summary: 'Ask for an export of your data',
  description:
    'You get a mail with a link, which works for seven days. Behind it is a zip file with all that is known of you here, in every service, as of the moment of the download. Once a day: sooner it is 429, with the time in Retry-After. A new link ends the one before, and so does another e-mail address.',
  scope: 'account:write',
  anonymous: false,
  status: 202,
  reply,
  errors: ['not_found', 'rate_limited'],
  async handle(call, ports) {
    const { subject } = callerOf(call);
    if (!(await findOpenAccount(ports, call.school, subject)))
      throw new Problem('not_found', 'There is no such account any more');
    const stream = exportRequestStream(subject);
    const expires_at = isoTime(Date.parse(call.at) + lifetimes.exportLink * 1000);
    const command = { type: 'RequestExport', now: call.at, expires_at } as const;
    const done = await attempt(call, ports, exportRequestDecider, stream, command);
    if (!isRejection(done)) {
      const { observed } = asOf(done);
      return { body: shown(done.state, call.at), headers: { Location: path }, observed };
    }
    const { state } = await fold(ports.log, exportRequestDecider, call.school, stream);
    const wait = secondsUntil(state ? nextExportAt(state) : call.at, call.at);
    throw new Problem(done.rejected, done.reason, { headers: { 'Retry-After': wait } });
  },
});

/** What a person may do about the export of their data. */
export const exportRequestOperations: readonly Operation[] = [get, request];
