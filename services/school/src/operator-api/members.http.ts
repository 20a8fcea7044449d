import { roles } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type Call, type Operation, type Ports, Problem, listOf, listQuery, listReply, operation } from '@lyceum/web';
import type { ModulePorts } from '@lyceum/service';
import { z } from 'zod';
import { schoolDecider } from '../school/school.ts';
import { memberEmailKey } from '../members/member.email.ts';
import { written } from '../members/member.http.ts';
import { members } from '../members/member.view.ts';
import { inviteMemberBody, memberParams } from '../members/member.schema.ts';
import { memberStatuses } from '../members/member.state.ts';
import type { MemberCommand } from '../members/member.ts';
import { decideMember, notBefore } from '../members/member.write.ts';

const schoolId = z
  .string()
  .max(100)
  .meta({ description: 'Id of the school', example: 'school_0198f3a2-7c1b-7000-8000-000000000001' });

const body = inviteMemberBody
  .safeExtend({
    school: schoolId,
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

/** The school of this id. Throws the problem that there is none. */
async function schoolOf({ log }: Pick<Ports, 'log'>, id: string) {
  const { state } = await fold(log, schoolDecider, id, id);
  if (!state) throw new Problem('not_found', 'There is no such school');
  return state;
}

/** The address at which an invited person opens their account; `since`: milliseconds since the epoch. */
export type InvitationLink = (
  ports: Pick<ModulePorts, 'rootKeys'>,
  place: { readonly school: string; readonly base_url: string },
  invited: { readonly id: string; readonly email: string; readonly name: string | null; readonly since: number },
) => string;

const invite = ({ vault, rootKeys }: ModulePorts, invitationLink: InvitationLink): Operation =>
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
      const place = await schoolOf(ports, id);
      const emailKey = await memberEmailKey(vault, id, email);
      const command = { type: 'InviteMember', email, emailKey, name, role, by: 'operator' } as const;
      const asked = { ...call, school: id };
      const made = await decideMember(ports, asked, ports.ids.next('account'), command, { by: undefined });
      const done = written(made, { issuer: place.base_url });
      const shown = done.body as { readonly id: string; readonly created_at: string };
      const invited = { id: shown.id, email, name: name ?? null, since: Date.parse(shown.created_at) };
      const invitation_url = invitationLink({ rootKeys }, { school: id, base_url: place.base_url }, invited);
      const body = { object: 'member', id: shown.id, school: id, email, role, status: 'invited', invitation_url };
      return { body, observed: done.observed! };
    },
  });

/** A member as far as an operator has to do with people: not what the school notes about them. */
const operatedMember = z
  .object({
    object: z.literal('member'),
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: z.enum(roles),
    status: z.enum(memberStatuses),
    created_at: z.string(),
  })
  .meta({ id: 'OperatedMember' });

const shownMember = (id: string, member: object): z.output<typeof operatedMember> =>
  operatedMember.parse({ ...member, id, object: 'member' });

const listing = z.strictObject({
  ...listQuery,
  school: schoolId,
  role: z.enum(roles).optional(),
  status: z.enum(memberStatuses).optional(),
});

const list = operation({
  id: 'listMembersAsOperator',
  method: 'GET',
  path: '/internal/members',
  area: 'members',
  summary: 'List the members of a school',
  description: 'Oldest first. The list follows writes with a short delay.',
  anonymous: false,
  query: listing,
  status: 200,
  reply: listOf(operatedMember),
  errors: ['not_found'],
  async handle({ query, page }, ports) {
    await schoolOf(ports, query.school);
    const sort = { field: 'created_at' } as const;
    const where = (['role', 'status'] as const).flatMap((field) => {
      const is = query[field];
      return is === undefined ? [] : [{ field, is }];
    });
    const found = await ports.documents.query(members, query.school, { where, sort, ...page });
    return listReply(found, ({ id, body }) => shownMember(id, body), sort);
  },
});

const ofSchool = z.strictObject({ school: schoolId }).meta({ id: 'MemberOfSchool' });

/** Shuts a member out, or in again, where nobody of the school can. */
const suspension = (
  verb: 'suspend' | 'reinstate',
  summary: string,
  commandAt: (at: string) => MemberCommand,
): Operation =>
  operation({
    id: `${verb}AsOperator`,
    method: 'POST',
    path: `/internal/members/{member}/${verb}`,
    area: 'members',
    summary,
    anonymous: false,
    params: memberParams,
    body: ofSchool,
    status: 200,
    reply: operatedMember,
    errors: ['erased', 'invalid_state', 'last_owner', 'not_found'],
    async handle(call: Call<{ readonly params: typeof memberParams; readonly body: typeof ofSchool }>, ports) {
      const { school: id } = call.body;
      const { base_url: issuer } = await schoolOf(ports, id);
      const asked = { ...call, school: id };
      const outcome = await decideMember(ports, asked, call.params.member, commandAt(call.at), { by: undefined });
      const done = written(outcome, { issuer });
      return { ...done, body: shownMember(call.params.member, done.body as object) };
    },
  });

const by = 'operator';

/** What the operator may do with members: a way in for a school that has lost its owners, or whose mail does not work, and a way out. */
export const memberOperatorOperations = (ports: ModulePorts, invitationLink: InvitationLink): readonly Operation[] => [
  invite(ports, invitationLink),
  list,
  suspension('suspend', 'Suspend a member of a school', (at) => ({
    type: 'SuspendMember',
    by,
    notBefore: notBefore(Date.parse(at)),
  })),
  suspension('reinstate', 'Reinstate a member of a school', () => ({ type: 'ReinstateMember', by })),
];
