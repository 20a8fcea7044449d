import { imagePath, isFileId } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import type { Call, Logger } from '@lyceum/web';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { AuthPorts } from '../http/exchange/auth-ports.ts';
import { callerOf } from './account-holder-of-call.ts';

/** What avatars are found out with: the school service has them. */
export interface AvatarPorts {
  readonly joining: Pick<AuthPorts['joining'], 'ask'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly clock: Clock;
}

const answer = z.object({ avatar: z.string().nullable() });

/** The address of the caller's avatar; null = there is none. Undefined while nobody can tell. */
export type AvatarOf = (call: Pick<Call, 'school' | 'issuer' | 'principal'>) => Promise<string | null | undefined>;

/** Milliseconds that an account waits for the avatar in it, and between two lines about the same outage. */
const [usualPatience, quiet] = [500, 10_000];

/** Asks the school service for avatars. Never throws: an account is told without one that does not come in time. */
export function avatarOf({ joining: { ask }, logger, clock }: AvatarPorts, patience = usualPatience): AvatarOf {
  let lastLine = -Infinity;
  const report = (err: unknown): void => {
    const now = clock.now();
    if (now - lastLine < quiet) return;
    lastLine = now;
    logger.error({ err }, 'the school service does not tell avatars: accounts are told without');
  };
  return async ({ school, issuer, principal }) => {
    try {
      const member = callerOf({ principal }).subject;
      const given = await within(patience, ask?.('school', { kind: 'avatar-of-member', school, member }));
      // A school service of the release before does not know the question.
      if (given === undefined) return undefined;
      const { avatar } = answer.parse(given);
      return isFileId(avatar) ? issuer + imagePath(avatar) : avatar;
    } catch (err) {
      report(err);
      return undefined;
    }
  };
}

/** What comes within so many milliseconds. Throws when nothing does. */
async function within(milliseconds: number, coming: Promise<unknown> | undefined): Promise<unknown> {
  const done = new AbortController();
  const late = async (): Promise<never> => {
    await delay(milliseconds, undefined, { signal: done.signal });
    throw new Error(`there is no answer within ${milliseconds} ms`);
  };
  try {
    return await Promise.race([coming, late()]);
  } finally {
    done.abort();
  }
}
