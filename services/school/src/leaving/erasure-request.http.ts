import { fold } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import { type Call, type Operation, type StatusTable, accepted, asOf, attempt, operation } from '@lyceum/web';
import { z } from 'zod';
import { isLastOwner, staffDecider, staffStream } from '../staff/staff.ts';
import {
  type ErasureRequestCode,
  type ErasureRequestState,
  erasureRequestDecider,
  erasureRequestStream,
} from './erasure-request.ts';

const path = '/api/account/erasure';
const statuses = {
  not_found: 404,
  invalid_state: 409,
  last_owner: 409,
} as const satisfies StatusTable<ErasureRequestCode>;

const reply = z
  .object({
    object: z.literal('erasure'),
    status: z.enum(['none', 'pending', 'begun']).meta({ description: 'begun: nothing cancels it any more.' }),
    requested_at: z.iso.datetime().nullable(),
    erases_at: z.iso.datetime().nullable().meta({ description: 'Until then it can be cancelled.' }),
  })
  .meta({ id: 'Erasure', description: 'The erasure of your own account and of what is known of you.' });

const shown = ({ status, requested_at, due_at }: ErasureRequestState) => ({
  object: 'erasure',
  status,
  requested_at,
  erases_at: due_at,
});

const day = 24 * 3_600_000;

function callerOf({ principal }: Pick<Call, 'principal'>): string {
  if (!principal) throw new Error('an operation on an account takes no anonymous calls');
  return principal.subject;
}

const get = operation({
  id: 'getOwnErasure',
  method: 'GET',
  path,
  area: 'account',
  summary: 'Read whether you are to be erased',
  description: '`none` when you have not asked for it.',
  scope: 'account:read',
  anonymous: false,
  status: 200,
  reply,
  async handle(call, { log }) {
    const found = await fold(log, erasureRequestDecider, call.school, erasureRequestStream(callerOf(call)));
    return { body: shown(found.state), ...asOf(found) };
  },
});

const request = (waitDays: number): Operation =>
  operation({
    id: 'requestOwnErasure',
    method: 'POST',
    path,
    area: 'account',
    summary: 'Ask for your own erasure',
    description:
      'After a time in which you can cancel it, your account is closed and what is personal about you can never be read again, in any service. You are written to at once and when it is done. Asking again changes nothing. The last owner of a school cannot leave it.',
    scope: 'account:write',
    anonymous: false,
    status: 202,
    reply,
    errors: ['last_owner'],
    async handle(call, ports) {
      const member = callerOf(call);
      const due_at = isoTime(Date.parse(call.at) + waitDays * day);
      const withStaff = async () => {
        const { state, version } = await fold(ports.log, staffDecider, call.school, staffStream);
        const command = { type: 'RequestErasure', due_at, isLastOwner: isLastOwner(state, member) } as const;
        return { command, expectedVersions: [{ stream: staffStream, version }] };
      };
      const asked = attempt(call, ports, erasureRequestDecider, erasureRequestStream(member), withStaff);
      const done = accepted(await asked, statuses);
      return { body: shown(done.state), headers: { Location: path }, ...asOf(done) };
    },
  });

const cancel = operation({
  id: 'cancelOwnErasure',
  method: 'DELETE',
  path,
  area: 'account',
  summary: 'Cancel your own erasure',
  description: 'Possible until it begins. You may ask for it again.',
  scope: 'account:write',
  anonymous: false,
  status: 204,
  errors: ['invalid_state'],
  async handle(call, ports) {
    const command = { type: 'CancelErasure', reason: 'person' } as const;
    const stream = erasureRequestStream(callerOf(call));
    const done = accepted(await attempt(call, ports, erasureRequestDecider, stream, command), statuses);
    return { observed: asOf(done).observed };
  },
});

/** What a person may do about their own erasure, which happens so many days after they asked for it. */
export const erasureRequestOperations = (waitDays: number): readonly Operation[] => [get, request(waitDays), cancel];
