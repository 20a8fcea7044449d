import {
  type BadSignatureLimiter,
  InvalidToken,
  type Trust,
  type TrustedKey,
  type TrustedSchool,
  verifier,
} from '@lyceum/oauth';
import type { Ports } from '@lyceum/web';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { School } from '../../school-projections/school.ts';
import type { AccessClaims } from './access-token.ts';
import type { SigningPorts } from './sign-jwt.ts';

/** What reading access tokens needs. */
interface ReadingPorts extends SigningPorts, Pick<Ports, 'clock'> {
  /** Bad signatures, by the address that the token comes from. */
  readonly forgeries: Pick<BadSignatureLimiter, 'begin'>;
}

/**
 * Reads the claims of an access token that this service signed for the school and that has not expired; undefined for any
 * other. Revocation is not looked at. Bad signatures are counted for the address `from`, where it is given: rejects with
 * `TooManyForgeries`.
 */
export type AccessTokenReader = (school: School, token: string, from?: string) => Promise<AccessClaims | undefined>;

/** A reader that trusts the keys in the log of each school, as they are now. */
export function accessTokenReader({ keys, clock, forgeries }: ReadingPorts): AccessTokenReader {
  const schools = new Map<string, TrustedSchool>();
  const published = new Map<string, TrustedKey>();
  const trust: Trust = {
    school: (id) => schools.get(id),
    key: (school, kid) => published.get(`${school} ${kid}`),
    denied: () => false,
    role: () => undefined,
  };
  const { verify } = verifier({ trust, clock, forgeries, tolerance: 0 });
  return async (school, token, from) => {
    const header = headerOf(token);
    if (!header) return undefined;
    const { kid, alg } = header;
    const key = await keys.verifier(school.id, kid, alg);
    if (!key) return undefined;
    schools.set(school.id, { id: school.id, issuer: school.issuer });
    published.set(`${school.id} ${kid}`, { kid, alg, key });
    try {
      await verify(token, { school: school.id, audiences: 'any', ...(from === undefined ? {} : { from }) });
      return decodeJwt<AccessClaims>(token);
    } catch (error) {
      if (error instanceof InvalidToken) return undefined;
      throw error;
    }
  };
}

function headerOf(token: string): { readonly kid: string; readonly alg: string } | undefined {
  try {
    const { kid, alg } = decodeProtectedHeader(token);
    return kid === undefined || alg === undefined ? undefined : { kid, alg };
  } catch {
    return undefined;
  }
}
