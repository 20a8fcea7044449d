import { assertionAlgs, oauthPaths } from '@lyceum/contracts';
import { Problem } from '@lyceum/web';
import { type JWTPayload, decodeJwt, errors, jwtVerify } from 'jose';
import type { KnownClient } from '../../domain/clients/client-registry.ts';
import { seconds } from '../../domain/write.ts';
import { RemoteBusy, RemoteRefused } from '../../egress/remote-json.ts';
import type { AuthPorts } from '../../http/exchange/auth-ports.ts';
import type { School } from '../../school-projections/school.ts';
import { sha256 } from '../../sealing/digest.ts';
import { keysOf } from './client-keys.ts';

/** Longest time that an assertion may be good, and the difference of clocks that is borne; seconds. */
const [longestLife, tolerance] = [300, 10];
const longestAssertion = 8_192;

/** The client that an assertion is about, before anything is verified; undefined when it cannot be read. */
export function subjectOf(assertion: string): string | undefined {
  try {
    return assertion.length > longestAssertion ? undefined : decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

/**
 * Whether an assertion proves that the client asks: signed with a key of the client, about and by the client, meant for
 * this server, good for five minutes at most, and never seen before. Keys are fetched only where `mayFetch` lets them be.
 * @see RFC 7523 §3, OIDC Core §9
 */
export async function provesClient(
  ports: Pick<AuthPorts, 'clock' | 'ephemeral' | 'remoteJson'>,
  school: School,
  { id, metadata }: KnownClient,
  assertion: string,
  mayFetch: () => Promise<boolean>,
): Promise<boolean> {
  if (assertion.length > longestAssertion) return false;
  try {
    const { payload } = await jwtVerify(
      assertion,
      keysOf(metadata, ports.remoteJson, { school: school.id, mayFetch }),
      {
        algorithms: [...assertionAlgs],
        issuer: id,
        subject: id,
        audience: [school.issuer, school.issuer + oauthPaths.token],
        clockTolerance: tolerance,
        currentDate: new Date(ports.clock.now()),
        requiredClaims: ['exp', 'jti'],
      },
    );
    return isShort(payload, seconds(ports.clock)) && (await isNew(ports, school, id, payload));
  } catch (error) {
    if (error instanceof RemoteBusy) throw new Problem('temporarily_unavailable', undefined, { cause: error });
    const isRefusal = error instanceof errors.JOSEError || error instanceof RemoteRefused || error instanceof Problem;
    // A key that WebCrypto cannot take is the client's mistake, like a signature that does not fit.
    if (isRefusal || error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}

const isShort = ({ exp, iat, nbf }: JWTPayload, now: number): boolean =>
  exp !== undefined &&
  exp - now <= longestLife + tolerance &&
  (iat === undefined || iat <= now + tolerance) &&
  (nbf === undefined || nbf <= now + tolerance);

/** Remembered for as long as it could be presented again. */
async function isNew(
  { clock, ephemeral }: Pick<AuthPorts, 'clock' | 'ephemeral'>,
  school: School,
  id: string,
  { jti, exp = 0 }: JWTPayload,
): Promise<boolean> {
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) return false;
  const life = (exp + tolerance + 1) * 1000 - clock.now();
  return ephemeral.putIfAbsent(`${school.id}:assertion:${sha256(JSON.stringify([id, jti]))}`, '1', Math.max(life, 1));
}
