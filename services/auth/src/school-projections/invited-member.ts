import type { AskService } from '@lyceum/internal-api';
import { z } from 'zod';

/** The invited member: a service of the release before does not send the address. */
const answer = z.object({ member: z.string(), status: z.string(), email: z.string().optional() });

/** A pending invitation. */
export interface InvitedMember {
  readonly member: string;
  /** The address of the invitation itself: what somebody types may only look like it. */
  readonly email: string;
}

/** The member whom a school has invited by an e-mail address, as of now; undefined = there is none. */
export async function invitedMember(
  ask: AskService | undefined,
  school: string,
  email: string,
): Promise<InvitedMember | undefined> {
  const found = await ask?.('school', { kind: 'member-by-email', school, email });
  if (found === undefined) return undefined;
  const { member, status, email: own = email } = answer.parse(found);
  return status === 'invited' ? { member, email: own } : undefined;
}
