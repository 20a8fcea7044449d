import type { Vault } from '@lyceum/eventlog';
import type { Ids } from '@lyceum/kernel';
import { createHmac } from 'node:crypto';
import { sha256 } from '../../sealing/digest.ts';

const form = /^rt_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/;

/** A refresh token as a request presents it. */
export interface PresentedRefresh {
  readonly grant: string;
  /** What it is known by. */
  readonly hash: string;
  readonly token: string;
}

/** Makes a refresh token: it names its grant, so that no index is needed, and holds a secret of 256 bits. */
export const newRefreshToken = (ids: Ids, grant: string): string =>
  `rt_${grant.slice('grant_'.length)}.${ids.secret()}`;

/**
 * The refresh token that takes the place of another: always the same one, so that a client whose answer was lost can be
 * answered again though no token is ever stored. Nobody can work it out without the key of the school.
 */
export async function successorOf(
  vault: Pick<Vault, 'derive'>,
  school: string,
  { grant, token }: { readonly grant: string; readonly token: string },
): Promise<string> {
  const key = await vault.derive(school, 'auth/refresh-tokens');
  return `rt_${grant.slice('grant_'.length)}.${createHmac('sha256', key).update(token).digest('base64url')}`;
}

/** The grant that a refresh token names and the hash under which it is known; undefined when it cannot be one of ours. */
export function readRefreshToken(token: string): PresentedRefresh | undefined {
  const found = form.exec(token);
  return found ? { grant: `grant_${found[1]}`, hash: sha256(token), token } : undefined;
}
