import type { Ask } from '@lyceum/internal-api';
import { z } from 'zod';

/** Who is invited: a service of the last release does not tell the address. */
const answer = z.object({ member: z.string(), status: z.string(), email: z.string().optional() });

/** An invitation that waits for whoever reads mail at its address. */
export interface InvitedMember {
  readonly member: string;
  /** The address of the invitation itself: what somebody types may only look like it. */
  readonly email: string;
}

/** Whom the invitation of a school to an e-mail address is for, as of now; undefined = there is none. */
export async function invitedMember(
  ask: Ask | undefined,
  school: string,
  email: string,
): Promise<InvitedMember | undefined> {
  const found = await ask?.('school', { kind: 'member-by-email', school, email });
  if (found === undefined) return undefined;
  const { member, status, email: own = email } = answer.parse(found);
  return status === 'invited' ? { member, email: own } : undefined;
}
