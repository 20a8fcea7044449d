import { fold } from '@lyceum/eventlog';
import type { ModulePorts, Slice } from '@lyceum/service';
import { z } from 'zod';
import { memberDecider } from '../members/member.ts';
import { avatarOperations } from './avatar.http.ts';

const asked = z.object({ school: z.string(), member: z.string() });

/** The avatar of a member as of now, the id of a file or an address elsewhere: for the service that has the account. */
async function avatarOfMember(question: unknown, { log }: Pick<ModulePorts, 'log'>) {
  const { school, member } = asked.parse(question);
  const { state } = await fold(log, memberDecider, school, member);
  return { avatar: state?.avatar ?? null };
}

/** The avatars that members choose for themselves. */
export const avatarSlice: Slice = {
  name: 'avatars',
  operations: avatarOperations,
  answers: { 'avatar-of-member': avatarOfMember },
};
