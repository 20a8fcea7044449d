import type { Role } from '@lyceum/contracts';
import { type Vault, fold } from '@lyceum/eventlog';
import { type Meta, type Rejection, isRejection } from '@lyceum/kernel';
import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  type Reply,
  type StatusTable,
  asOf,
  operation,
  problemOf,
} from '@lyceum/web';
import { memberEmailKey } from './member.email.ts';
import { listMembers } from './member.list.ts';
import {
  type ChangeMemberBody,
  changeMemberBody,
  inviteMemberBody,
  memberParams,
  memberReply,
  setRoleBody,
} from './member.schema.ts';
import { type MemberChanges, type MemberCommand, memberDecider } from './member.ts';
import { memberDocument } from './member.view.ts';
import type { MemberRefusal } from './member.staff.ts';
import { type Outcome, avatarNamed, decideMember, notBefore } from './member.write.ts';

/** What operations on members need beside the ports of every operation. */
export interface MemberPorts {
  readonly vault: Pick<Vault, 'derive'>;
  /** Destroys what is personal about a subject, here and, soon, in every service. May be repeated. */
  erase(school: string, subject: string, meta: Meta): Promise<void>;
}

/** What each refusal means over HTTP; the error table of the contracts says the same. */
export const memberStatuses = {
  not_found: 404,
  email_taken: 409,
  invalid_state: 409,
  erased: 409,
  access_denied: 403,
  role_not_allowed: 409,
  last_owner: 409,
} as const satisfies StatusTable<MemberRefusal>;

const path = '/api/members';
/** Who may read and change the people of a school. */
const memberRoles: readonly Role[] = ['owner', 'admin'];
const area = 'members';
const writing = { area, scope: 'members:write', anonymous: false, roles: memberRoles, staff: memberRoles } as const;
const changing = { ...writing, params: memberParams, reply: memberReply, ifMatch: 'accepted', status: 200 } as const;

type OfMember = Omit<Call<{ params: typeof memberParams }>, 'query' | 'body'>;

/** The reply to a write. Throws the problem that a refusal means. */
export function written(outcome: Outcome, { issuer }: Pick<Call, 'issuer'>): Reply {
  if (isRejection(outcome)) throw problemOf(plain(outcome), memberStatuses);
  return { body: memberDocument(outcome.stream, outcome.state!, issuer), ...asOf(outcome) };
}

const plain = (refusal: Rejection<MemberRefusal>): Rejection<MemberRefusal> =>
  refusal.rejected === 'email_taken'
    ? { ...refusal, reason: 'Somebody in the school has this e-mail address already' }
    : refusal;

const asking = ({ principal }: Pick<Call, 'principal'>) => ({ by: principal!.subject });

const change = async (call: OfMember, ports: Ports, command: MemberCommand): Promise<Reply> =>
  written(await decideMember(ports, call, call.params.member, command, asking(call)), call);

/** What null clears a field to: an event cannot hold null, which would mean erased. */
const cleared: Readonly<Record<string, unknown>> = { tags: [], custom_fields: {} };

/** The changes that a merge patch asks for. @see RFC 7396 §2 */
function changesOf({ marketing_consent, ...body }: ChangeMemberBody, at: string): MemberChanges {
  const set = Object.entries(body).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(set.map(([field, value]) => [field, value ?? cleared[field] ?? '']));
  return marketing_consent === undefined
    ? changes
    : { ...changes, marketing_consent: { value: marketing_consent.value, at, source: marketing_consent.source } };
}

/** All operations on members. */
export const memberOperations = (extra: MemberPorts): readonly Operation[] => [
  listMembers(extra.vault),
  get,
  invite(extra),
  patch,
  putRole,
  suspend,
  reinstate,
  resend,
  erase(extra),
];

/** Reads one member, strongly consistent. */
const get = operation({
  area,
  scope: 'members:read',
  anonymous: true,
  roles: memberRoles,
  staff: memberRoles,
  id: 'getMember',
  method: 'GET',
  path: `${path}/{member}`,
  summary: 'Read a member',
  description: 'As of now. Nobody but owners and admins learns whether there is such a member.',
  params: memberParams,
  status: 200,
  reply: memberReply,
  async handle(call, { log }) {
    if (!call.principal) throw new Problem('not_found');
    const id = call.params.member;
    const found = await fold(log, memberDecider, call.school, id);
    if (!found.state) throw new Problem('not_found');
    return { body: memberDocument(id, found.state, call.issuer), ...asOf(found) };
  },
});

/** Invites a person by e-mail. */
const invite = ({ vault }: MemberPorts): Operation =>
  operation({
    ...writing,
    id: 'inviteMember',
    method: 'POST',
    path,
    summary: 'Invite a member',
    description:
      'Sends an invitation by e-mail, good for 7 days. The person joins with this role by opening an account from it. Only owners invite owners and admins.',
    body: inviteMemberBody,
    status: 201,
    reply: memberReply,
    errors: ['email_taken', 'role_not_allowed'],
    async handle(call, ports) {
      const { email, name, role } = call.body;
      const emailKey = await memberEmailKey(vault, call.school, email);
      const command = { type: 'InviteMember', email, emailKey, name, role, by: asking(call).by } as const;
      const reply = written(await decideMember(ports, call, ports.ids.next('account'), command, asking(call)), call);
      return { ...reply, headers: { Location: `${path}/${(reply.body as { id: string }).id}` } };
    },
  });

/** Changes what a merge patch names. */
const patch = operation({
  ...changing,
  id: 'changeMember',
  method: 'PATCH',
  path: `${path}/{member}`,
  summary: 'Change a member',
  description:
    'A JSON Merge Patch of what the school notes about the person. Role and status have operations of their own.',
  body: changeMemberBody,
  errors: ['erased', 'file_not_ready', 'temporarily_unavailable'],
  async handle(call, ports) {
    const avatar = await avatarNamed(call, ports);
    return change(call, ports, { type: 'ChangeMember', changes: { ...changesOf(call.body, call.at), ...avatar } });
  },
});

/** Gives a member another role. */
const putRole = operation({
  ...changing,
  id: 'setMemberRole',
  method: 'PUT',
  path: `${path}/{member}/role`,
  summary: 'Set the role of a member',
  description:
    'In force everywhere within a second, for tokens issued before, too: they stay good, and open what the new role may do, whatever role they name. Only owners make and unmake owners and admins, and one active owner always stays.',
  body: setRoleBody,
  errors: ['erased', 'last_owner', 'role_not_allowed'],
  handle: (call, ports) =>
    change(call, ports, {
      type: 'SetMemberRole',
      role: call.body.role,
      by: asking(call).by,
      notBefore: notBefore(Date.parse(call.at)),
    }),
});

/** Shuts a member out. */
const suspend = operation({
  ...changing,
  id: 'suspendMember',
  method: 'POST',
  path: `${path}/{member}/suspend`,
  summary: 'Suspend a member',
  description: 'The person cannot sign in, and no token of theirs counts, within a second and until reinstated.',
  errors: ['erased', 'invalid_state', 'last_owner', 'role_not_allowed'],
  handle: (call, ports) =>
    change(call, ports, { type: 'SuspendMember', by: asking(call).by, notBefore: notBefore(Date.parse(call.at)) }),
});

/** Lets a suspended member in again. */
const reinstate = operation({
  ...changing,
  id: 'reinstateMember',
  method: 'POST',
  path: `${path}/{member}/reinstate`,
  summary: 'Reinstate a member',
  description: 'The person can sign in again, with the same role. Tokens from before stay void.',
  errors: ['erased', 'invalid_state', 'role_not_allowed'],
  handle: (call, ports) => change(call, ports, { type: 'ReinstateMember', by: asking(call).by }),
});

/** Sends the invitation again. */
const resend = operation({
  ...changing,
  id: 'resendInvitation',
  method: 'POST',
  path: `${path}/{member}/resend-invite`,
  summary: 'Send an invitation again',
  description: 'A new mail with a new link, good for 7 days from now.',
  errors: ['erased', 'invalid_state'],
  handle: (call, ports) => change(call, ports, { type: 'RenewInvitation', by: asking(call).by }),
});

/** Forgets a person for ever. */
const erase = ({ erase: forget }: MemberPorts): Operation =>
  operation({
    ...changing,
    id: 'eraseMember',
    method: 'POST',
    path: `${path}/{member}/erase`,
    summary: 'Erase a member',
    description:
      'For ever: what is personal about them can never be read again, in any service, and their account is closed. An invitation is withdrawn the same way.',
    errors: ['last_owner', 'role_not_allowed'],
    async handle(call, ports) {
      const { member: id } = call.params;
      const at = notBefore(Date.parse(call.at));
      const reply = await change(call, ports, { type: 'EraseMember', by: asking(call).by, notBefore: at });
      // Cut off here, the reaction that follows the event does it.
      await forget(call.school, id, call.meta);
      return reply;
    },
  });
