import type { ServiceQuery } from '@lyceum/internal-api';
import type { Ports } from '@lyceum/web';
import { z } from 'zod';
import { findLiveSession } from '../domain/sessions/live-session.ts';
import { newAccessToken } from '../domain/tokens/access-token.ts';
import type { SigningPorts } from '../domain/tokens/sign-jwt.ts';
import { seconds } from '../domain/write.ts';
import type { KnownSchools } from '../school-projections/school.ts';

/** The `client_id` of the school's own checkout page. No client can have it: ids of clients begin with `client_`, or are addresses. */
export const checkoutClient = 'checkout';
/** What the page does for the person who is signed in: buys, and reads what they bought. */
const scopes = ['account:read', 'account:write'];
/** The one part of the API at which the token is good. */
const audience = '/api/checkout';
/** Seconds: the page uses it for one request. */
const lifetime = 60;

const asked = z.object({ school: z.string(), session: z.string().regex(/^[\w-]{43}$/) });

interface AccessPorts extends Pick<Ports, 'log' | 'documents' | 'clock' | 'ids'>, SigningPorts {
  readonly schools: KnownSchools;
  readonly isWithheld?: (school: string) => boolean;
}

/** Who is signed in in a browser, and an access token for the page that it looks at. */
type CheckoutAccess =
  | { readonly signed_in: false }
  | { readonly signed_in: true; readonly subject: string; readonly name: string; readonly access_token: string };

/**
 * Answers the gateway, which shows the checkout page, with who is signed in by the session cookie that the browser sent. The
 * token belongs to no grant: it is good at the checkout for a minute, and at no endpoint of the authorization server. Throws
 * while revocations of the school may be missing, or while the school is not known here yet.
 */
export async function answerCheckoutAccess(question: ServiceQuery, ports: AccessPorts): Promise<CheckoutAccess> {
  const { school: id, session: cookie } = asked.parse(question);
  const school = await ports.schools.get(id);
  if (!school || ports.isWithheld?.(id)) throw new Error('sessions of the school cannot be judged now');
  const found = await findLiveSession(ports, id, cookie);
  if (!found) return { signed_in: false };
  const { account, session } = found;
  const { authTime, amr, sid } = session;
  const access_token = await newAccessToken(ports, school, {
    id: sid,
    grant: { account: account.id, client: checkoutClient, authTime, amr, sid },
    audience: [school.issuer + audience],
    scopes,
    role: account.role,
    jti: ports.ids.secret(16),
    now: seconds(ports.clock),
    lifetime,
  });
  return { signed_in: true, subject: account.id, name: account.name, access_token };
}
