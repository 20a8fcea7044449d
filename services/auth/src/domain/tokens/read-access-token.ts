import { signingAlgs } from '@lyceum/contracts';
import { BoundedMap } from '@lyceum/kernel';
import type { Forgeries } from '@lyceum/oauth';
import { type Settle, TooManyForgeries } from '@lyceum/oauth';
import type { Ports } from '@lyceum/web';
import { type CryptoKey, type JWTHeaderParameters, type JWTPayload, decodeJwt, errors, jwtVerify } from 'jose';
import { hash } from 'node:crypto';
import type { School } from '../../school-projections/school-directory.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { seconds } from '../write.ts';
import type { AccessClaims } from './access-token.ts';
import type { SigningPorts } from './sign-jwt.ts';

/** A token whose signature was good, and the key that it was good for. */
interface Verified {
  readonly claims: AccessClaims;
  readonly kid: string;
  readonly alg: string;
  readonly key: CryptoKey;
}

/** What is known of tokens, by their digests. */
interface Known {
  readonly verified: BoundedMap<string, Verified>;
  /** Tokens with a bad signature, and the key that it is none of. */
  readonly forged: BoundedMap<string, CryptoKey>;
}

/** Tokens of either kind that are remembered, at least. */
const most = 5_000;
const remembered = new WeakMap<SigningKeys, Known>();

function knownTo(keys: SigningKeys): Known {
  const known = remembered.get(keys) ?? { verified: new BoundedMap(most), forged: new BoundedMap(most) };
  remembered.set(keys, known);
  return known;
}

/** What reading access tokens needs. */
export interface TokenReadingPorts extends SigningPorts, Pick<Ports, 'clock'> {
  /** Bad signatures of access tokens, by address. */
  readonly forgeries: Pick<Forgeries, 'begin'>;
}

/**
 * The claims of an access token that this service signed for the school and that has not expired; undefined otherwise. Says
 * nothing of revocation. A signature is verified once for each token, and last; issuer, expiry and key are checked every
 * time. Bad signatures are counted for the address `from`. Rejects with `TooManyForgeries`.
 */
export async function readAccessToken(
  ports: TokenReadingPorts,
  school: School,
  token: string,
  from?: string,
): Promise<AccessClaims | undefined> {
  const { keys } = ports;
  const digest = `${school.id} ${hash('sha256', token, 'base64')}`;
  const known = knownTo(keys).verified.get(digest);
  if (known) {
    const { claims, kid, alg, key } = known;
    const isGood = isOurs(claims, school, ports);
    return isGood && (await keys.verifier(school.id, kid, alg)) === key ? claims : undefined;
  }
  const verified = await verifyOnce(ports, school, token, digest, from);
  if (verified) knownTo(keys).verified.set(digest, verified);
  return verified?.claims;
}

async function verifyOnce(
  ports: TokenReadingPorts,
  school: School,
  token: string,
  digest: string,
  from: string | undefined,
): Promise<Verified | undefined> {
  const { keys, clock, forgeries } = ports;
  const { forged } = knownTo(keys);
  let used: Omit<Verified, 'claims'> | undefined;
  let settle: Settle | undefined;
  const keyOf = async ({ kid, alg }: JWTHeaderParameters): Promise<CryptoKey> => {
    const key = kid === undefined ? undefined : await keys.verifier(school.id, kid, alg);
    if (!key || !isOurs(decodeJwt(token), school, ports) || forged.get(digest) === key) throw new NotOurs();
    used = { kid: kid!, alg, key };
    if (from !== undefined) settle = forgeries.begin(from);
    return key;
  };
  try {
    const rules = { ...standing, issuer: school.issuer, currentDate: new Date(clock.now()) };
    const { payload } = await jwtVerify(token, keyOf, rules);
    settle?.(true);
    return isOurs(payload, school, ports) ? { claims: payload as AccessClaims, ...used! } : undefined;
  } catch (error) {
    if (error instanceof TooManyForgeries) throw error;
    // With a cause it could not be checked.
    const isForged = error instanceof errors.JWSSignatureVerificationFailed && error.cause === undefined;
    settle?.(!isForged);
    if (isForged) forged.set(digest, used!.key);
    if (isJoseError(error) || error instanceof NotOurs) return undefined;
    throw error;
  }
}

/** What every token of ours is. */
const standing = {
  typ: 'at+jwt',
  algorithms: [...signingAlgs] as string[],
  requiredClaims: ['sub', 'exp', 'jti', 'gid', 'client_id'],
};

/** Whether claims are of the school's and in time, whoever signed them. */
const isOurs = ({ iss, exp, school: named }: JWTPayload, school: School, { clock }: TokenReadingPorts): boolean =>
  iss === school.issuer && named === school.id && typeof exp === 'number' && seconds(clock) < exp;

/** The token names a key that the school does not have, or is bad whatever its signature is. */
class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

const isJoseError = (error: unknown): boolean =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith('ERR_J');
