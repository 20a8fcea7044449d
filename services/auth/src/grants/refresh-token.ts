import type { Ids } from '@lyceum/kernel';
import { sha256 } from '../sealing/digest.ts';

const form = /^rt_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/;

/** Makes a refresh token: it names its grant, so that no index is needed, and holds a secret of 256 bits. */
export const newRefreshToken = (ids: Ids, grant: string): string =>
  `rt_${grant.slice('grant_'.length)}.${ids.secret()}`;

/** The grant that a refresh token names and the hash under which it is known; undefined when it cannot be one of ours. */
export function readRefreshToken(token: string): { readonly grant: string; readonly hash: string } | undefined {
  const found = form.exec(token);
  return found ? { grant: `grant_${found[1]}`, hash: sha256(token) } : undefined;
}
