import type { Outcome } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { findClient } from '../../domain/clients/client-registry.ts';
import { type EndedSession, newLogoutToken } from '../../domain/tokens/logout-token.ts';
import { type Egress, EgressRefused } from '../../egress/egress.ts';
import type { AuthPorts } from '../../http/exchange/auth-ports.ts';
import type { School } from '../../school-projections/school.ts';

/** What telling clients needs. */
export type NotifyingPorts = Pick<Ports, 'log'> &
  Pick<AuthPorts, 'keys' | 'clock' | 'ids'> & { readonly egress: Egress };

const [timeout, mostBytes] = [5_000, 16 * 1024];

/**
 * Posts a logout token to a client. 200 and 204 mean done; 400 is the client's final word, anything else a reason to try
 * again. A client that is gone or takes no logouts any more is done.
 * @see OpenID Connect Back-Channel Logout 1.0 §2.5, §2.8
 */
export async function notifyClient(
  ports: NotifyingPorts,
  school: School,
  clientId: string,
  ended: EndedSession,
): Promise<Outcome> {
  const client = await findClient(ports, school.id, clientId);
  const url = client?.metadata.backchannel_logout_uri;
  if (!client || client.disabled || url === undefined) return 'sent';
  const body = new URLSearchParams({ logout_token: await newLogoutToken(ports, school, client, ended) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const { status } = await ports.egress.send({ url, method: 'POST', headers, body, mostBytes, timeout });
    if (status >= 200 && status < 300) return 'sent';
    return status === 400 ? 'refused' : 'unavailable';
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    // The answer says nothing that matters, and it came: the client has the token.
    return error.fault === 'size' || error.fault === 'encoding' ? 'sent' : 'unavailable';
  }
}
