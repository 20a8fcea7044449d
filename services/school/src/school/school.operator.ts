import { line } from '@lyceum/contracts';
import { type Call, type Operation, type Ports, type StatusTable, accepted, attempt, operation } from '@lyceum/web';
import { z } from 'zod';
import {
  type LifecycleCode,
  type LifecycleCommand,
  lifecycleDecider,
  lifecycleStream,
  schoolStatuses,
} from './lifecycle.ts';
import { profileDecider, profileStream } from './profile.ts';
import { schoolNow } from './school.now.ts';

const statuses = { invalid_state: 409 } as const satisfies StatusTable<LifecycleCode>;

const params = z.object({ school: z.string().max(100).meta({ description: 'Id of the school' }) });

const reply = z
  .object({
    object: z.literal('school_status'),
    id: z.string(),
    status: z.enum(schoolStatuses),
    suspended_for: z.string().nullable(),
    is_currency_locked: z.boolean(),
  })
  .meta({ id: 'SchoolStatus', description: 'Whether a school is open, and what of it stays as it is.' });

const operating = { area: 'school', anonymous: false, params, status: 200, reply, method: 'POST' } as const;
const path = '/internal/schools/{school}';

async function shown(ports: Pick<Ports, 'log'>, id: string) {
  const { lifecycle, profile, lane, position } = await schoolNow(ports, id);
  const { status, reason: suspended_for } = lifecycle;
  const body = { object: 'school_status', id, status, suspended_for, is_currency_locked: profile.isCurrencyLocked };
  return { body, observed: { lane, position } };
}

type OfSchool = Pick<
  Call<{ readonly params: typeof params }>,
  'school' | 'params' | 'at' | 'meta' | 'commit' | 'expected'
>;

async function move(call: OfSchool, ports: Pick<Ports, 'log'>, command: LifecycleCommand) {
  const { school } = call.params;
  await schoolNow(ports, school);
  accepted(await attempt({ ...call, school }, ports, lifecycleDecider, lifecycleStream, command), statuses);
  return shown(ports, school);
}

const suspend = operation({
  ...operating,
  id: 'suspendSchool',
  path: `${path}/suspend`,
  summary: 'Suspend a school',
  description:
    'Visitors and members are answered 503 within a second; owners, admins and lecturers can read, and people can reach their own accounts. Suspending it again changes nothing.',
  body: z
    .strictObject({ reason: line(1, 500).meta({ description: 'Why; its owners and admins read it.' }) })
    .meta({ id: 'SuspendSchool', example: { reason: 'Invoices of three months are open' } }),
  errors: ['invalid_state', 'not_found'],
  handle: (call, ports) => move(call, ports, { type: 'SuspendSchool', reason: call.body.reason }),
});

const resume = operation({
  ...operating,
  id: 'resumeSchool',
  path: `${path}/resume`,
  summary: 'Let a suspended school go on',
  errors: ['invalid_state', 'not_found'],
  handle: (call, ports) => move(call, ports, { type: 'ResumeSchool' }),
});

const lockCurrency = operation({
  ...operating,
  id: 'lockCurrency',
  path: `${path}/lock-currency`,
  summary: 'Keep the currency of a school as it is',
  description: 'For a school that has sold something before it came here. Nothing unlocks it.',
  errors: ['not_found'],
  async handle(call, ports) {
    const { school } = call.params;
    await schoolNow(ports, school);
    accepted(await attempt({ ...call, school }, ports, profileDecider, profileStream, { type: 'LockCurrency' }), {
      currency_locked: 409,
      access_denied: 403,
    });
    return shown(ports, school);
  },
});

/** What the operator decides about a school. */
export const schoolOperatorOperations: readonly Operation[] = [suspend, resume, lockCurrency];
