import type { Ports } from '@lyceum/web';
import { SignJWT } from 'jose';
import type { School } from '../../school-projections/school.ts';
import type { KnownClient } from '../clients/client-registry.ts';
import { seconds } from '../write.ts';
import type { SigningPorts } from './sign-jwt.ts';

/** Named by the specification; its value is an empty object. */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Seconds that a logout token is good. @see OpenID Connect Back-Channel Logout 1.0 §4 */
const lifetime = 120;

/** An ended session, as its clients are notified of it. */
export interface EndedSession {
  readonly account: string;
  readonly sid: string;
}

/**
 * Makes a logout token for a client, signed like its ID tokens, with an id of its own and never a nonce.
 * @see OpenID Connect Back-Channel Logout 1.0 §2.4, §4
 */
export async function newLogoutToken(
  ports: SigningPorts & Pick<Ports, 'clock' | 'ids'>,
  school: School,
  client: KnownClient,
  { account, sid }: EndedSession,
): Promise<string> {
  const alg = client.metadata.id_token_signed_response_alg;
  const { kid, key } = await ports.keys.signer(school.id, alg);
  const iat = seconds(ports.clock);
  return new SignJWT({
    iss: school.issuer,
    aud: client.id,
    sub: account,
    sid,
    iat,
    exp: iat + lifetime,
    jti: ports.ids.secret(16),
    events: { [logoutEvent]: {} },
  })
    .setProtectedHeader({ alg, kid, typ: 'logout+jwt' })
    .sign(key);
}
