import type { Member } from './member.state.ts';

/** A member as replies show it; the shell takes away what a lesser view may not see. */
export function memberDocument(id: string, member: Member): Readonly<Record<string, unknown>> {
  const { email_key: _key, ...shown } = member;
  return { ...shown, id, object: 'member' };
}
