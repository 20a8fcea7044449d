import { mayHold, signingAlgs } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { covers } from './audience.ts';
import { principalOf } from './claims.ts';
import { InvalidToken } from './invalid-token.ts';
import type { Principal } from './principal.ts';
import type { Trust, TrustedKey, TrustedSchool } from './trust.ts';

/** Where a token is used. */
export interface TokenUse {
  readonly school: string;
  /** Path of the request, below the school's base URL or an origin of its own; a token for a part of the API is good there only. */
  readonly path?: string;
  /** Audiences that are accepted as they are, beside the school's own; `any` accepts every audience of the school's tokens. */
  readonly audiences?: readonly string[] | 'any';
}

/** Checks access tokens locally. Rejects with `InvalidToken`, and with nothing else. */
export interface Verifier {
  verify(token: string, use: TokenUse): Promise<Principal>;
}

/** A verified token: what it says, and what it was believed on. */
interface Verified {
  readonly principal: Principal;
  readonly issuer: string;
  readonly kid: string;
  readonly key: TrustedKey['key'];
}

/** Clocks of two machines may differ by this many seconds. */
const tolerance = 5;
/** Longer tokens are not looked at. Characters. */
const longest = 8192;
/** Verified tokens that are remembered. */
const remembered = 10_000;

const accepted: readonly string[] = [...signingAlgs, 'EdDSA'];

/**
 * Verifies access tokens against the keys that a school publishes, and remembers the verified ones: signature and claims
 * cost once per token, while expiry, issuer, key, revocation, role and audience are checked on every use.
 * @see RFC 9068 §4
 */
export function verifier({ trust, clock }: { trust: Trust; clock: Clock }): Verifier {
  const cache = new LRUCache<string, Verified>({ max: remembered });

  return {
    async verify(token, use) {
      const school = trust.school(use.school);
      if (!school) throw new InvalidToken('The access token is meant for another school');
      if (token.length > longest) throw new InvalidToken('The access token is too long');
      const digest = `${school.id} ${hash('sha256', token, 'base64')}`;
      let verified = cache.get(digest);
      if (!verified) {
        verified = await verifyOnce(token, school, trust, clock);
        cache.set(digest, verified);
      }
      checkNow(verified, school, trust, clock);
      checkAudience(verified.principal, school, use);
      return asOfNow(verified.principal, trust);
    },
  };
}

async function verifyOnce(token: string, school: TrustedSchool, trust: Trust, clock: Clock): Promise<Verified> {
  let used: TrustedKey | undefined;
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        used = header.kid === undefined ? undefined : trust.key(school.id, header.kid);
        if (used?.alg !== header.alg) throw new InvalidToken('The access token is signed by an unknown key');
        return used.key;
      },
      {
        algorithms: [...accepted],
        typ: 'at+jwt',
        issuer: school.issuer,
        requiredClaims: ['exp'],
        clockTolerance: tolerance,
        currentDate: new Date(clock.now()),
      },
    );
    const principal = principalOf(payload);
    if (principal.school !== school.id) throw new InvalidToken('The access token is meant for another school');
    return { principal, issuer: school.issuer, kid: used!.kid, key: used!.key };
  } catch (error) {
    throw publicReason(error);
  }
}

function publicReason(error: unknown): InvalidToken {
  if (error instanceof InvalidToken) return error;
  if (error instanceof errors.JWTExpired) return new InvalidToken('The access token has expired', error);
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss')
    return new InvalidToken('The access token is meant for another school', error);
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'typ')
    return new InvalidToken('The token is not an access token', error);
  return new InvalidToken('The access token is malformed', error);
}

function checkNow({ principal, issuer, kid, key }: Verified, school: TrustedSchool, trust: Trust, clock: Clock): void {
  if (principal.expires + tolerance <= Math.floor(clock.now() / 1000))
    throw new InvalidToken('The access token has expired');
  if (issuer !== school.issuer) throw new InvalidToken('The access token is meant for another school');
  if (trust.key(school.id, kid)?.key !== key) throw new InvalidToken('The access token is signed by an unknown key');
  if (trust.denied(school.id, principal)) throw new InvalidToken('The access token was revoked');
}

/** A person whose role changed acts in the new one, with those of the token's scopes that it may hold. */
function asOfNow(principal: Principal, trust: Trust): Principal {
  const role = trust.role(principal.school, principal.subject) ?? principal.role;
  if (role === principal.role) return principal;
  return { ...principal, role, scopes: new Set([...principal.scopes].filter((scope) => mayHold(role, scope))) };
}

function checkAudience(
  { audience }: Principal,
  { issuer, origins = [] }: TrustedSchool,
  { path = '', audiences = [] }: TokenUse,
): void {
  if (audiences === 'any') return;
  const isOurs = (each: string) =>
    covers(each, issuer, path) || origins.some((origin) => covers(each, origin, path)) || audiences.includes(each);
  if (audience.some(isOurs)) return;
  throw new InvalidToken('The access token is meant for another resource');
}
