import type { Role } from '@lyceum/contracts';
import type { EventContext } from '@lyceum/kernel';
import type { MemberEvent } from './member.events.ts';

/** Where a member stands. Erased is for ever. */
export const memberStatuses = ['invited', 'active', 'suspended', 'erased'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** Whether the person agreed to be written to, when, and how it is known. */
interface Consent {
  readonly value: boolean;
  readonly at: string;
  readonly source: string;
}

/** A person of the school. What is personal is null once the person is erased. */
export interface Member {
  readonly status: MemberStatus;
  readonly role: Role;
  readonly email: string | null;
  readonly email_key: string;
  readonly name: string | null;
  /** The id of a file, or an address elsewhere. */
  readonly avatar: string | null;
  /** The file that the avatar is; known also of an erased person. */
  readonly avatar_file?: string;
  readonly bio: string | null;
  readonly note: string | null;
  readonly custom_fields: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly marketing_consent: Consent | null;
  readonly joined_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

/** Undefined = there never was such a member. */
export type MemberState = Member | undefined;

type Data<Type extends MemberEvent['type']> = Extract<MemberEvent, { type: Type }>['data'];

/** What nobody knows of an erased person any more. */
const unknown = { email: null, name: null, avatar: null, bio: null, note: null, custom_fields: {}, tags: [] } as const;

/** The member without anything that tells who it was. */
export const withoutPerson = <M extends Member>(member: M): M => ({ ...member, ...unknown, marketing_consent: null });

/** Folds an event as the log recorded it. */
export function evolve(state: MemberState, event: MemberEvent, { at, version }: EventContext): MemberState {
  const next = apply(state, event, at);
  return next && { ...next, updated_at: at, version };
}

function apply(state: MemberState, event: MemberEvent, at: string): MemberState {
  if (event.type === 'MemberInvited') return newcomer(event.data, at);
  if (event.type === 'MemberJoined') return joined(state ?? newcomer(event.data, at), event.data, at);
  if (!state) return state;
  switch (event.type) {
    case 'InvitationRenewed':
      return state;
    case 'MemberChanged':
      return changed(state, event.data);
    case 'FileReferenced':
      return { ...state, avatar_file: event.data.file_id };
    case 'FileReleased': {
      const { avatar_file: _gone, ...rest } = state;
      return rest;
    }
    case 'MemberReaddressed':
      return { ...state, email: event.data.email, email_key: event.data.email_key };
    case 'MemberRoleChanged':
      return { ...state, role: event.data.to };
    case 'MemberSuspended':
      return { ...state, status: 'suspended' };
    case 'MemberReinstated':
      return { ...state, status: 'active' };
    case 'MemberErased':
      return { ...withoutPerson(state), status: 'erased' };
  }
}

const newcomer = (
  { email, email_key, name, role }: Data<'MemberInvited'> | Data<'MemberJoined'>,
  at: string,
): Member => ({
  ...unknown,
  status: 'invited',
  role,
  email,
  email_key,
  name: name ?? null,
  marketing_consent: null,
  joined_at: null,
  created_at: at,
  updated_at: at,
  version: 0,
});

const joined = (before: Member, { email, email_key, name, role }: Data<'MemberJoined'>, at: string): Member => ({
  ...before,
  status: 'active',
  role,
  email,
  email_key,
  name: name ?? before.name,
  joined_at: at,
});

const orNone = (text: string | null): string | null => (text === '' ? null : text);

/** How it is known is personal: of an erased person nothing is left to show. */
const readable = (consent: Data<'MemberChanged'>['marketing_consent']): Consent | null =>
  consent && consent.source !== null ? { ...consent, source: consent.source } : null;

function changed(member: Member, data: Data<'MemberChanged'>): Member {
  const { name, avatar, bio, note, custom_fields, tags, marketing_consent } = data;
  const texts = Object.entries({ name, avatar, bio, note }).filter(([, value]) => value !== undefined);
  return {
    ...member,
    ...Object.fromEntries(texts.map(([field, value]) => [field, orNone(value!)])),
    ...(custom_fields === undefined ? {} : { custom_fields: custom_fields ?? {} }),
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
    ...(marketing_consent === undefined ? {} : { marketing_consent: readable(marketing_consent) }),
  };
}
