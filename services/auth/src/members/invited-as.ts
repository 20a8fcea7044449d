import type { Ask } from '@lyceum/runtime';
import { z } from 'zod';

const answer = z.object({ member: z.string(), status: z.string() });

/** The member id under which an e-mail address is invited to a school, as of now; undefined = it is not. */
export async function invitedAs(ask: Ask | undefined, school: string, email: string): Promise<string | undefined> {
  const found = await ask?.('school', { kind: 'member-by-email', school, email });
  if (found === undefined) return undefined;
  const { member, status } = answer.parse(found);
  return status === 'invited' ? member : undefined;
}
