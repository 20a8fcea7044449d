import { roles } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type Call, type Operation, Problem, operation } from '@lyceum/web';
import type { ModulePorts } from '@lyceum/runtime';
import { z } from 'zod';
import { school } from '../school/school.ts';
import { invitationLink } from './inviting.ts';
import { memberEmailKey } from './member.email.ts';
import { written } from './member.http.ts';
import { inviteMemberBody } from './member.schema.ts';
import { decideMember } from './member.write.ts';

const body = inviteMemberBody
  .safeExtend({
    school: z
      .string()
      .max(100)
      .meta({ description: 'Id of the school', example: 'school_0198f3a2-7c1b-7000-8000-000000000001' }),
    role: z.enum(roles).default('member'),
  })
  .meta({ id: 'InviteAsOperator' });

const reply = z
  .object({
    object: z.literal('member'),
    id: z.string(),
    school: z.string(),
    email: z.string(),
    role: z.enum(roles),
    status: z.literal('invited'),
    invitation_url: z.string().meta({ description: 'What the mail says: for when none arrives. Keep it secret.' }),
  })
  .meta({ id: 'InvitedByOperator' });

type Inviting = Call<{ readonly body: typeof body }>;

/** What the operator may do with members: a way in for a school that has lost its owners, or whose mail does not work. */
export const memberOperatorOperations = ({ vault, rootKeys }: ModulePorts): readonly Operation[] => [
  operation({
    id: 'inviteAsOperator',
    method: 'POST',
    path: '/internal/members',
    area: 'members',
    summary: 'Invite somebody to a school, with any role',
    anonymous: false,
    body,
    status: 201,
    reply,
    errors: ['email_taken', 'not_found'],
    async handle(call: Inviting, ports) {
      const { school: id, email, name, role } = call.body;
      const { state: place } = await fold(ports.log, school, id, id);
      if (!place) throw new Problem('not_found', 'There is no such school');
      const emailKey = await memberEmailKey(vault, id, email);
      const command = { type: 'invite', email, emailKey, name, role, by: 'operator' } as const;
      const asked = { ...call, school: id };
      const done = written(await decideMember(ports, asked, ports.ids.next('account'), command, { by: undefined }));
      const shown = done.body as { readonly id: string; readonly created_at: string };
      const invited = { id: shown.id, email, name: name ?? null, since: Date.parse(shown.created_at) };
      const invitation_url = invitationLink({ rootKeys }, { school: id, base_url: place.base_url }, invited);
      const body = { object: 'member', id: shown.id, school: id, email, role, status: 'invited', invitation_url };
      return { body, observed: done.observed! };
    },
  }),
];
