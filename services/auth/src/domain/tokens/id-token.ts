import type { SigningAlg } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import type { School } from '../../school-projections/school.ts';
import type { Grant } from '../grants/grant.ts';
import { lifetimes } from '../lifetimes.ts';
import { acr } from './access-token.ts';
import { sign, type SigningPorts } from './sign-jwt.ts';

/** What an ID token is made of, beside its grant. */
export interface IdGrant {
  readonly grant: Grant;
  readonly alg: SigningAlg;
  readonly accessToken: string;
  /** As the client sent it; a refreshed ID token has none. */
  readonly nonce: string | undefined;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** The left half of the access token's SHA-256. @see OIDC Core §3.1.3.6 */
const atHash = (accessToken: string): string =>
  createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');

/** Makes an ID token of 10 minutes, signed with the algorithm that the client registered. @see OIDC Core §2, §3.1.3.6, §12.2 */
export function newIdToken(ports: SigningPorts, school: School, made: IdGrant): Promise<string> {
  const { grant, alg, accessToken, nonce, now } = made;
  return sign(ports.keys, school.id, alg, 'JWT', {
    iss: school.issuer,
    sub: grant.account,
    aud: grant.client,
    azp: grant.client,
    iat: now,
    exp: now + lifetimes.idToken,
    auth_time: grant.authTime,
    ...(nonce === undefined ? {} : { nonce }),
    acr,
    amr: grant.amr,
    at_hash: atHash(accessToken),
    sid: grant.sid,
  });
}
