import type { Role } from '@lyceum/contracts';
import type { JWTPayload } from 'jose';
import type { School } from '../../school-projections/school.ts';
import type { Grant } from '../grants/grant.ts';
import { lifetimes } from '../lifetimes.ts';
import { sign, type SigningPorts } from './sign-jwt.ts';

/** What an access token of this service says. */
export interface AccessClaims extends JWTPayload {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string | string[];
  readonly client_id: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly scope: string;
  readonly auth_time: number;
  readonly acr: string;
  readonly amr: readonly string[];
  readonly sid: string;
  /** The grant: revoking it voids the token. */
  readonly gid: string;
  readonly school: string;
  readonly role: Role;
}

/** What an access token is made of, beside its grant. */
export interface AccessGrant {
  readonly id: string;
  /** What the person agreed to, or their sign-in itself. */
  readonly grant: Pick<Grant, 'account' | 'client' | 'authTime' | 'amr' | 'sid'>;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly role: Role;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly now: number;
  /** Seconds; 10 minutes when not given. */
  readonly lifetime?: number;
}

/** Authentication context: none in particular. @see OIDC Core §2 */
export const acr = '0';

const one = (audience: readonly string[]): string | string[] => (audience.length === 1 ? audience[0]! : [...audience]);

/** Makes a JWT access token, signed ES256. @see RFC 9068 §2 */
export function newAccessToken(ports: SigningPorts, school: School, made: AccessGrant): Promise<string> {
  const { id: gid, grant, audience, scopes, role, jti, now, lifetime = lifetimes.accessToken } = made;
  const claims: AccessClaims = {
    iss: school.issuer,
    sub: grant.account,
    aud: one(audience),
    client_id: grant.client,
    iat: now,
    exp: now + lifetime,
    jti,
    scope: scopes.join(' '),
    auth_time: grant.authTime,
    acr,
    amr: grant.amr,
    sid: grant.sid,
    gid,
    school: school.id,
    role,
  };
  return sign(ports.keys, school.id, 'ES256', 'at+jwt', claims);
}

/** Whether a text is shaped like an access token rather than a refresh token. */
export const looksLikeJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
