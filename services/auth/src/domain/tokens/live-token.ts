import type { Ports } from '@lyceum/web';
import type { School } from '../../school-projections/school.ts';
import { type KnownAccount, findAccount } from '../accounts/account-registry.ts';
import { signedOutSince } from '../accounts/signed-out-since.ts';
import { clientAllowsById } from '../clients/client-status.ts';
import { type Grant, grantDecider, isTokenValid } from '../grants/grant.ts';
import { readRefreshToken } from '../grants/refresh-token.ts';
import { streamOf } from '../streams.ts';
import { read, seconds } from '../write.ts';
import type { AccessClaims } from './access-token.ts';
import type { AccessTokenReader } from './read-access-token.ts';

/** What judging tokens needs. */
interface LivePorts extends Pick<Ports, 'log' | 'documents' | 'clock'> {
  readonly accessTokens: AccessTokenReader;
}

/** An access token that counts now, its grant and its person. */
export interface LiveAccess {
  readonly claims: AccessClaims;
  readonly grant: Grant;
  readonly person: KnownAccount;
}

/**
 * Signature, expiry and revocation of an access token and of its client, against the log itself. Undefined when it does
 * not count. Bad signatures are counted for the address `from`, where it is given: rejects with `TooManyForgeries`.
 */
export async function liveAccess(
  ports: LivePorts,
  school: School,
  token: string,
  from?: string,
): Promise<LiveAccess | undefined> {
  const claims = await ports.accessTokens(school, token, from);
  if (!claims) return undefined;
  const [found, honoured, person] = await Promise.all([
    read(ports, grantDecider, school.id, streamOf('grant', claims.gid)),
    clientAllowsById(ports, school.id, claims.client_id, claims.iat),
    findAccount(ports, school.id, claims.sub),
  ]);
  if (!person || signedOutSince(person, claims.iat)) return undefined;
  return found && honoured && isTokenValid(found, claims.jti) ? { claims, grant: found, person } : undefined;
}

/** The grant of a refresh token that could be used now, with when it expires. */
export async function liveRefresh(
  ports: LivePorts,
  school: School,
  token: string,
): Promise<{ readonly grant: Grant; readonly expires: number } | undefined> {
  const presented = readRefreshToken(token);
  if (!presented) return undefined;
  const found = await read(ports, grantDecider, school.id, streamOf('grant', presented.grant));
  if (!found || found.revoked || found.refresh?.hash !== presented.hash) return undefined;
  const { expires } = found.refresh;
  if (!(await clientAllowsById(ports, school.id, found.client, found.issued))) return undefined;
  const person = await findAccount(ports, school.id, found.account);
  if (!person || signedOutSince(person, found.issued)) return undefined;
  return seconds(ports.clock) < expires ? { grant: found, expires } : undefined;
}
