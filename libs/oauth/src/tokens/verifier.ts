import { mayHold, signingAlgs } from '@lyceum/contracts';
import { type Clock, BoundedMap } from '@lyceum/kernel';
import { type JWTHeaderParameters, type JWTPayload, decodeJwt, errors, jwtVerify } from 'jose';
import { hash } from 'node:crypto';
import { covers } from './audience.ts';
import { principalOf } from './claims.ts';
import { type BadSignatureLimiter, type Settle, TooManyForgeries } from './bad-signature-limiter.ts';
import { InvalidToken } from './invalid-token.ts';
import type { Principal } from './principal.ts';
import { type Trust, TrustAwaited, type TrustedKey, type TrustedSchool } from '../trust/trust.ts';

/** Where a token is used. */
export interface TokenUse {
  readonly school: string;
  /** Path of the request, below the school's base URL or an origin of its own; a token for a part of the API is good there only. */
  readonly path?: string;
  /** Audiences that are accepted as they are, beside the school's own; `any` accepts every audience of the school's tokens. */
  readonly audiences?: readonly string[] | 'any';
  /** Whom bad signatures are counted for: the address that the token comes from. Nobody when not given. */
  readonly from?: string;
}

/** Checks access tokens locally. Rejects with `InvalidToken`, with `TooManyForgeries` where they are counted, with `TrustAwaited`, and with nothing else. */
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
const usualTolerance = 5;
/** Longer tokens are not looked at. Characters. */
const longest = 8192;
/** Verified tokens that are remembered, and as many with bad signatures. */
const remembered = 10_000;

/** What a token of any school must be. */
const rules = {
  algorithms: [...signingAlgs, 'EdDSA'] as string[],
  typ: 'at+jwt',
  requiredClaims: ['exp'],
};

/** What a verifier works with. */
export interface VerifierPorts {
  readonly trust: Trust;
  readonly clock: Clock;
  /** Counts bad signatures by whom a token comes from. */
  readonly forgeries?: Pick<BadSignatureLimiter, 'begin'>;
  /** Seconds by which the clock of the issuer may differ: 5 when not given. */
  readonly tolerance?: number;
}

/**
 * Verifies access tokens against the keys that a school publishes, and remembers the verified ones: signature and claims
 * cost once per token, while expiry, issuer, key, revocation, role and audience are checked on every use. A signature is
 * looked at last, when nothing else is wrong with the token, and one that was bad is not looked at again.
 * @see RFC 9068 §4
 */
export function verifier({ trust, clock, forgeries, tolerance = usualTolerance }: VerifierPorts): Verifier {
  const cache = new BoundedMap<string, Verified>(remembered);
  const forged = new BoundedMap<string, TrustedKey['key']>(remembered);

  /** Seconds since the epoch: a token that ended by then has expired. */
  const expiredAt = () => Math.floor(clock.now() / 1000) - tolerance;

  async function verifyOnce(token: string, digest: string, school: TrustedSchool, use: TokenUse): Promise<Verified> {
    let used: TrustedKey | undefined;
    let settle: Settle | undefined;
    const keyOf = ({ kid, alg, typ }: JWTHeaderParameters): TrustedKey['key'] => {
      const known = kid === undefined ? undefined : trust.key(school.id, kid);
      if (known?.alg !== alg) throw new InvalidToken('The access token is signed by an unknown key');
      checkUnsigned(typ, decodeJwt(token), school, use, expiredAt());
      if (forged.get(digest) === known.key) throw badSignature();
      used = known;
      if (use.from !== undefined) settle = forgeries?.begin(use.from);
      return known.key;
    };
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        ...rules,
        issuer: school.issuer,
        clockTolerance: tolerance,
        currentDate: dateOf(clock),
      });
      settle?.(true);
      return { principal: principalFor(school, payload), issuer: school.issuer, kid: used!.kid, key: used!.key };
    } catch (error) {
      if (error instanceof TooManyForgeries) throw error;
      // With a cause it could not be checked.
      const isForged = error instanceof errors.JWSSignatureVerificationFailed && error.cause === undefined;
      settle?.(!isForged);
      if (isForged) forged.set(digest, used!.key);
      throw publicReason(error);
    }
  }

  return {
    async verify(token, use) {
      const awaited = trust.awaits?.() ?? [];
      if (awaited.length > 0) throw new TrustAwaited(awaited);
      const school = trust.school(use.school);
      if (!school) throw new InvalidToken('The access token is meant for another school');
      if (token.length > longest) throw new InvalidToken('The access token is too long');
      const digest = `${school.id} ${hash('sha256', token, 'base64')}`;
      let verified = cache.get(digest);
      if (!verified) {
        verified = await verifyOnce(token, digest, school, use);
        cache.set(digest, verified);
      }
      checkNow(verified, school, trust, expiredAt());
      checkAudience(verified.principal, school, use);
      return asOfNow(verified.principal, trust);
    },
  };
}

const dateOf = (clock: Clock): Date => new Date(clock.now());

const badSignature = (): InvalidToken =>
  new InvalidToken('The access token is malformed', 'its signature was bad before');

/**
 * What is wrong with a token whatever its signature is. It costs next to nothing, so it comes first; nothing that is
 * found here is believed.
 */
function checkUnsigned(
  typ: string | undefined,
  claims: JWTPayload,
  school: TrustedSchool,
  use: TokenUse,
  expiredAt: number,
): void {
  if (!/^(?:application\/)?at\+jwt$/i.test(typ ?? '')) throw new InvalidToken('The token is not an access token');
  if (claims.iss !== school.issuer) throw new InvalidToken('The access token is meant for another school');
  const principal = principalFor(school, claims);
  checkExpiry(principal, expiredAt);
  checkAudience(principal, school, use);
}

function principalFor(school: TrustedSchool, claims: JWTPayload): Principal {
  const principal = principalOf(claims);
  if (principal.school !== school.id) throw new InvalidToken('The access token is meant for another school');
  return principal;
}

function checkExpiry({ expires }: Principal, expiredAt: number): void {
  if (expires <= expiredAt) throw new InvalidToken('The access token has expired');
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

function checkNow(
  { principal, issuer, kid, key }: Verified,
  school: TrustedSchool,
  trust: Trust,
  expiredAt: number,
): void {
  checkExpiry(principal, expiredAt);
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
