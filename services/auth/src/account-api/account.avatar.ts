import { imagePath, isFileId } from '@lyceum/contracts';
import type { Call, Logger } from '@lyceum/web';
import { z } from 'zod';
import type { AuthPorts } from '../http/exchange/auth-ports.ts';
import { callerOf } from './account-holder-of-call.ts';

/** What avatars are found out with: the school service has them. */
export interface AvatarPorts {
  readonly joining: Pick<AuthPorts['joining'], 'ask'>;
  readonly logger: Logger;
}

const answer = z.object({ avatar: z.string().nullable() });

/** The address of the caller's avatar; null = there is none. Undefined while nobody can tell. */
export type AvatarOf = (call: Pick<Call, 'school' | 'issuer' | 'principal'>) => Promise<string | null | undefined>;

/** Asks the school service for avatars. */
export const avatarOf =
  ({ joining: { ask }, logger }: AvatarPorts): AvatarOf =>
  async ({ school, issuer, principal }) => {
    try {
      const member = callerOf({ principal }).subject;
      const given = await ask?.('school', { kind: 'avatar-of-member', school, member });
      // A school service of the release before does not know the question.
      if (given === undefined) return undefined;
      const { avatar } = answer.parse(given);
      return isFileId(avatar) ? issuer + imagePath(avatar) : avatar;
    } catch (err) {
      // The account is told without it.
      logger.error({ err }, 'the school service does not tell an avatar');
      return undefined;
    }
  };
