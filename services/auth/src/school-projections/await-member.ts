import { Problem, type Ports } from '@lyceum/web';
import { setTimeout as pause } from 'node:timers/promises';
import { type MemberStatus, memberStatus } from './member.projection.ts';

/** Milliseconds that an answer waits for the school to take in a new account, and between two looks. */
const [patience, look] = [5_000, 25];

/**
 * The role and status of the person of an account. The school service learns of a new account a moment later: then the answer
 * waits, and asks to come back when the moment is long.
 */
export async function awaitMember(ports: Pick<Ports, 'documents'>, school: string, id: string): Promise<MemberStatus> {
  for (let waited = 0; waited <= patience; waited += look) {
    const standing = await memberStatus(ports, school, id);
    if (standing) return standing;
    await pause(look);
  }
  throw new Problem('temporarily_unavailable', 'The account is being prepared; try again in a moment', {
    headers: { 'Retry-After': '2' },
  });
}
