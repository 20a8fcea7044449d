import { type Role, referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, reject } from '@lyceum/kernel';
import type { z } from 'zod';
import { type MemberEvent, type memberChanges, memberEvents } from './member.events.ts';
import { type Member, type MemberState, evolve } from './member.state.ts';

export type { Member } from './member.state.ts';

/** What may be different; an empty text clears. */
export type MemberChanges = z.input<typeof memberChanges>;

/** What can be asked of a member. `by`: who asks. `notBefore`: from when on tokens count again, RFC 3339, whole seconds. */
export type MemberCommand =
  | {
      readonly type: 'InviteMember';
      readonly email: string;
      readonly emailKey: string;
      readonly name?: string | undefined;
      readonly role: Role;
      readonly by: string;
    }
  | { readonly type: 'RenewInvitation'; readonly by: string }
  /** `role` counts for those who were not invited; others have the role of the invitation. */
  | {
      readonly type: 'JoinSchool';
      readonly email: string;
      readonly emailKey: string;
      readonly name: string;
      readonly role: Role;
    }
  | { readonly type: 'ChangeMember'; readonly changes: MemberChanges }
  | { readonly type: 'ReaddressMember'; readonly email: string; readonly emailKey: string }
  | { readonly type: 'SetMemberRole'; readonly role: Role; readonly by: string; readonly notBefore: string }
  | { readonly type: 'SuspendMember'; readonly by: string; readonly notBefore: string }
  | { readonly type: 'ReinstateMember'; readonly by: string }
  | { readonly type: 'EraseMember'; readonly by: string; readonly notBefore: string };

type Command<T extends MemberCommand['type']> = Extract<MemberCommand, { type: T }>;

/** Why a member cannot become what is asked. */
export type MemberCode = 'not_found' | 'email_taken' | 'invalid_state' | 'erased';

type Decision = readonly MemberEvent[] | Rejection<MemberCode>;

/** The kind of claim that keeps an e-mail address to one member of a school. */
export const memberEmail = 'member_email';

function decide(command: MemberCommand, state: MemberState): Decision {
  if (command.type === 'InviteMember') return invite(command, state);
  if (command.type === 'JoinSchool') return join(command, state);
  if (!state) return reject('not_found', 'There is no such member');
  if (state.status === 'erased')
    return command.type === 'EraseMember' ? [] : reject('erased', 'The person is erased, and nothing brings them back');
  switch (command.type) {
    case 'RenewInvitation':
      return state.status === 'invited'
        ? [{ type: 'InvitationRenewed', data: { by: command.by } }]
        : reject('invalid_state', 'The person has joined already: there is no invitation to send');
    case 'ChangeMember':
      return change(command.changes, state);
    case 'ReaddressMember':
      return command.emailKey === state.email_key
        ? []
        : [{ type: 'MemberReaddressed', data: { email: command.email, email_key: command.emailKey } }];
    case 'SetMemberRole':
      return setRole(command, state);
    case 'SuspendMember':
      return suspend(command, state);
    case 'ReinstateMember':
      return reinstate(command, state);
    case 'EraseMember':
      return [
        ...referenceEvents([state.avatar_file], []),
        { type: 'MemberErased', data: { by: command.by, tokens_not_before: command.notBefore } },
      ];
  }
}

function invite({ email, emailKey: email_key, name, role, by }: Command<'InviteMember'>, state: MemberState): Decision {
  if (state) return reject('invalid_state', 'The member exists already');
  return [{ type: 'MemberInvited', data: { email, email_key, ...(name === undefined ? {} : { name }), role, by } }];
}

/** Joining again changes nothing, so that the news of an account may come more than once. */
function join({ email, emailKey: email_key, name, role }: Command<'JoinSchool'>, state: MemberState): Decision {
  if (state?.status === 'erased') return reject('erased', 'The person is erased, and nothing brings them back');
  if (state && state.status !== 'invited') return [];
  return [{ type: 'MemberJoined', data: { email, email_key, name, role: state?.role ?? role } }];
}

// Fields of one schema, so equal JSON is equality; an empty text is what null shows.
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other ?? '');

function change(changes: MemberChanges, state: Member): Decision {
  const different = Object.entries(changes).filter(([field, value]) => !same(value, Reflect.get(state, field)));
  if (different.length === 0) return [];
  const { avatar } = changes;
  const files = avatar === undefined || avatar === state.avatar_file ? [] : avatarEvents(state, avatar);
  return [{ type: 'MemberChanged', data: Object.fromEntries(different) }, ...files];
}

/** Released first: the state knows one file. */
const avatarEvents = ({ avatar_file }: Member, avatar: string | null): readonly MemberEvent[] => [
  ...referenceEvents([avatar_file], []),
  ...referenceEvents([], [avatar]),
];

function setRole({ role: to, by, notBefore }: Command<'SetMemberRole'>, { role: from }: Member): Decision {
  if (from === to) return [];
  return [{ type: 'MemberRoleChanged', data: { from, to, by, tokens_not_before: notBefore } }];
}

function suspend({ by, notBefore }: Command<'SuspendMember'>, { status }: Member): Decision {
  if (status === 'suspended') return [];
  if (status === 'invited') return reject('invalid_state', 'The person has not joined: erase the invitation instead');
  return [{ type: 'MemberSuspended', data: { by, tokens_not_before: notBefore } }];
}

function reinstate({ by }: Command<'ReinstateMember'>, { status, role }: Member): Decision {
  if (status === 'active') return [];
  if (status === 'invited') return reject('invalid_state', 'The person has not joined yet');
  return [{ type: 'MemberReinstated', data: { by, role } }];
}

/** A member; the stream is the id. Who may ask for what, and that an owner stays, is the staff's decision. */
export const memberDecider: Decider<MemberState, MemberCommand, MemberEvent, MemberCode> = {
  events: memberEvents,
  initial: undefined,
  decide,
  evolve,
  claims: (event) =>
    event.type === 'MemberInvited' || event.type === 'MemberJoined' || event.type === 'MemberReaddressed'
      ? [{ kind: memberEmail, value: event.data.email_key, rejected: 'email_taken' }]
      : [],
  releases: (event, before) =>
    (event.type === 'MemberErased' || event.type === 'MemberReaddressed') && before
      ? [{ kind: memberEmail, value: before.email_key }]
      : [],
};

/** Whether a stream is a member's. */
export const isMember = (stream: string): boolean => stream.startsWith('account_');
