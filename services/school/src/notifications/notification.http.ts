import { fold } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { type Call, type Operation, type Ports, Problem, accepted, attempt, operation } from '@lyceum/web';
import { z } from 'zod';
import { memberDecider } from '../members/member.ts';
import { notificationDecider, notificationStream } from './notification.ts';

const path = '/api/account/notifications';

const kinds = {
  lessons: z.boolean().meta({ description: 'A lesson of a course of yours opens.' }),
  replies: z.boolean().meta({ description: 'Somebody answers a comment of yours.' }),
  events: z.boolean().meta({ description: 'An event that you are registered for is near.' }),
  posts: z.boolean().meta({ description: 'The school has a new post.' }),
};
const marketing = z.boolean().meta({ description: 'The school may write to you about what it offers.' });

const reply = z
  .object({
    object: z.literal('notifications'),
    ...kinds,
    marketing,
    marketing_since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When `marketing` was last said; null = never, which is no.' }),
  })
  .meta({
    id: 'Notifications',
    description: 'What you want mail about. What concerns your account, and what you buy, is always sent.',
  });

const body = z
  .strictObject({ ...z.object(kinds).partial().shape, marketing: marketing.optional() })
  .meta({ id: 'ChooseNotifications', example: { replies: false } });

type Asking = Pick<Call, 'school' | 'principal'>;

function callerOf({ principal }: Asking): string {
  if (!principal) throw new Error('an operation on an account takes no anonymous calls');
  return principal.subject;
}

/** What the member wants, as of now. Throws the problem that the person is none of the school. */
async function shown(call: Asking, { log }: Pick<Ports, 'log'>) {
  const member = callerOf(call);
  const [{ state: wanted }, { state, lane, position }] = await Promise.all([
    fold(log, notificationDecider, call.school, notificationStream(member)),
    fold(log, memberDecider, call.school, member),
  ]);
  if (!state || state.status === 'erased') throw new Problem('not_found', 'You are no member of this school');
  const consent = state.marketing_consent;
  const said = { marketing: consent?.value ?? false, marketing_since: consent?.at ?? null };
  return { body: { object: 'notifications', ...wanted, ...said }, observed: { lane, position } };
}

const get = operation({
  id: 'getOwnNotifications',
  method: 'GET',
  path,
  area: 'account',
  summary: 'Read what you want mail about',
  description: 'Everything but `marketing`, until you say otherwise.',
  scope: 'account:read',
  anonymous: false,
  status: 200,
  reply,
  handle: (call, ports) => shown(call, ports),
});

const statuses = { not_found: 404, email_taken: 409, invalid_state: 409, erased: 409 } as const;

const patch = operation({
  id: 'chooseOwnNotifications',
  method: 'PATCH',
  path,
  area: 'account',
  summary: 'Choose what you want mail about',
  description: 'What is left out stays. When you allow or forbid `marketing` is noted for the school.',
  scope: 'account:write',
  anonymous: false,
  body,
  status: 200,
  reply,
  errors: ['erased'],
  async handle(call, ports) {
    const member = callerOf(call);
    const { marketing: value, ...wanted } = call.body;
    const before = await shown(call, ports);
    if (value !== undefined && (value !== before.body.marketing || before.body.marketing_since === null)) {
      const changes = { marketing_consent: { value, at: call.at, source: 'account' } };
      const commit = { ...call.commit, commitId: uuidv5('marketing-consent', call.commit.commitId) };
      const asked = { ...call, commit };
      accepted(await attempt(asked, ports, memberDecider, member, { type: 'ChangeMember', changes }), statuses);
    }
    const command = { type: 'ChooseNotifications', wanted } as const;
    const done = accepted(await attempt(call, ports, notificationDecider, notificationStream(member), command), {});
    const { lane, position } = done;
    const after = await shown(call, ports);
    return { ...after, observed: { lane, position: Math.max(position, after.observed.position) } };
  },
});

/** What a person may choose about mail to them. */
export const notificationOperations: readonly Operation[] = [get, patch];
