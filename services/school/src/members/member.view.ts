import type { Collection, Document, Projection } from '@lyceum/documents';
import { imagePath, isFileId } from '@lyceum/contracts';
import { upcast } from '@lyceum/kernel';
import { memberEvents } from './member.events.ts';
import { type Member, evolve, withoutPerson } from './member.state.ts';
import { isMember } from './member.ts';

/** The read model behind the list of members. */
export const members: Collection = {
  name: 'members',
  version: 1,
  fields: {
    role: 'text',
    status: 'text',
    tags: 'set',
    name: 'text',
    email_key: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** The member of a row. */
export const memberOf = (row: Document): Member => row as unknown as Member;

/** Folds each member's events into its row. */
export const memberProjection: Projection = {
  collection: members,
  key: ({ stream }) => (isMember(stream) ? stream : undefined),
  project(event, before) {
    const { at, version } = event;
    const member = evolve(before && memberOf(before), upcast(memberEvents, event), { at, version });
    return member ? { ...member } : null;
  },
  erase: {
    documents: (subject) => [subject],
    forget: (row) => ({ ...withoutPerson(memberOf(row)) }),
  },
};

/** A member as replies show it, with the addresses that begin with the school's issuer; the reply filter takes away what a lesser view may not see. */
export function memberDocument(id: string, member: Member, issuer: string): Readonly<Record<string, unknown>> {
  const { email_key: _key, avatar_file: _file, avatar, ...shown } = member;
  return { ...shown, avatar: isFileId(avatar) ? issuer + imagePath(avatar) : avatar, id, object: 'member' };
}
