import { type Role, signingAlgs } from '@lyceum/contracts';
import { BoundedMap } from '@lyceum/eventlog';
import { type CryptoKey, type JWTPayload, jwtVerify } from 'jose';
import { hash } from 'node:crypto';
import type { Grant } from '../grants/grant.ts';
import { lifetimes } from '../lifetimes.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { AuthPorts } from '../ports.ts';
import type { School } from '../schools/school-directory.ts';
import { seconds } from '../writing.ts';
import { sign } from './signing.ts';

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
  readonly grant: Grant;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly role: Role;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** Authentication context: none in particular. @see OIDC Core §2 */
export const acr = '0';

const one = (audience: readonly string[]): string | string[] => (audience.length === 1 ? audience[0]! : [...audience]);

/** Makes a JWT access token of 10 minutes, signed ES256. @see RFC 9068 §2 */
export function newAccessToken(ports: AuthPorts, school: School, made: AccessGrant): Promise<string> {
  const { id: gid, grant, audience, scopes, role, jti, now } = made;
  const claims: AccessClaims = {
    iss: school.issuer,
    sub: grant.account,
    aud: one(audience),
    client_id: grant.client,
    iat: now,
    exp: now + lifetimes.accessToken,
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

/** A token whose signature was good, and the key that it was good for. */
interface Verified {
  readonly claims: AccessClaims;
  readonly kid: string;
  readonly alg: string;
  readonly key: CryptoKey;
}

/** Tokens that are remembered, at least. */
const most = 5_000;
const remembered = new WeakMap<SigningKeys, BoundedMap<string, Verified>>();

function verifiedBy(keys: SigningKeys): BoundedMap<string, Verified> {
  const known = remembered.get(keys) ?? new BoundedMap<string, Verified>(most);
  remembered.set(keys, known);
  return known;
}

/**
 * The claims of an access token that this service signed for the school and that has not expired; undefined otherwise. Says
 * nothing of revocation. A signature is verified once for each token; issuer, expiry and key are checked every time.
 */
export async function readAccessToken(
  ports: Pick<AuthPorts, 'keys' | 'clock'>,
  school: School,
  token: string,
): Promise<AccessClaims | undefined> {
  const { keys, clock } = ports;
  const name = `${school.id} ${hash('sha256', token, 'base64')}`;
  const known = verifiedBy(keys).get(name);
  if (known) {
    const { claims, kid, alg, key } = known;
    const isGood = claims.iss === school.issuer && seconds(clock) < claims.exp;
    return isGood && (await keys.verifier(school.id, kid, alg)) === key ? claims : undefined;
  }
  const verified = await verifyOnce(ports, school, token);
  if (verified) verifiedBy(keys).set(name, verified);
  return verified?.claims;
}

async function verifyOnce(
  { keys, clock }: Pick<AuthPorts, 'keys' | 'clock'>,
  school: School,
  token: string,
): Promise<Verified | undefined> {
  let used: Omit<Verified, 'claims'> | undefined;
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid, alg }) => {
        const key = kid === undefined ? undefined : await keys.verifier(school.id, kid, alg);
        if (!key) throw new UnknownKey();
        used = { kid: kid!, alg, key };
        return key;
      },
      {
        typ: 'at+jwt',
        issuer: school.issuer,
        algorithms: [...signingAlgs],
        currentDate: new Date(clock.now()),
        requiredClaims: ['sub', 'exp', 'jti', 'gid', 'client_id'],
      },
    );
    return payload['school'] === school.id ? { claims: payload as AccessClaims, ...used! } : undefined;
  } catch (error) {
    if (isJoseError(error) || error instanceof UnknownKey) return undefined;
    throw error;
  }
}

/** The token names a key that the school does not have. */
class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
}

const isJoseError = (error: unknown): boolean =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith('ERR_J');
