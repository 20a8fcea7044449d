import type { IncomingMessage } from 'node:http';
import type { AskService } from '@lyceum/internal-api';
import { type Ids, isSecret } from '@lyceum/kernel';
import { cookieAt, cookieLine, readCookie, sessionCookie } from '@lyceum/web';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { School } from '../../routing/school.ts';

/** Who looks at the page, in which browser. */
export interface Visitor {
  /** Who is signed in; undefined for a guest. */
  readonly member: Member | undefined;
  /** In the cookie that binds forms to the browser. */
  readonly secret: string;
  /** `Set-Cookie` lines that the answer has to carry. */
  readonly cookies: readonly string[];
}

/** A member who is signed in, with an access token that is good at the checkout for a minute. */
interface Member {
  readonly subject: string;
  readonly name: string;
  readonly token: string;
}

const access = z.union([
  z.object({ signed_in: z.literal(false) }),
  z.object({ signed_in: z.literal(true), subject: z.string(), name: z.string(), access_token: z.string() }),
]);

/**
 * Finds out who looks at the page: the authorization server is asked whose the session cookie is. Rejects when it cannot say:
 * a member must not pass for a guest.
 */
export async function visitorOf(
  { ask, ids }: { readonly ask: AskService; readonly ids: Pick<Ids, 'secret'> },
  school: School,
  request: IncomingMessage,
): Promise<Visitor> {
  const cookie = cookieAt(school.baseUrl, 'checkout');
  const known = readCookie(request, cookie);
  const secret = known ?? ids.secret();
  const cookies = known === undefined ? [cookieLine(cookie, secret)] : [];
  const session = readCookie(request, sessionCookie(school.baseUrl));
  if (session === undefined) return { member: undefined, secret, cookies };
  const found = access.parse(await ask('auth', { kind: 'checkout_access', school: school.id, session }));
  if (!found.signed_in) return { member: undefined, secret, cookies };
  const { subject, name, access_token: token } = found;
  return { member: { subject, name, token }, secret, cookies };
}

/** The tags in forms of the page: each is good for one browser, one person and one form of one school. */
export class FormTags {
  readonly #key: Buffer;

  /** `secret`: the same in every process of the gateway. */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('checkout forms').digest();
  }

  /** The tag of a form: `checkout`, or the id of the order that it is about. */
  of(school: string, form: string, { secret, member }: Pick<Visitor, 'secret' | 'member'>): string {
    const about = JSON.stringify([school, form, secret, member?.subject ?? '']);
    return createHmac('sha256', this.#key).update(about).digest('base64url');
  }

  /** Whether a form comes from a page of ours, in this browser, for this person. @see RFC 6749 §10.12 */
  isOf(given: string, ...about: Parameters<FormTags['of']>): boolean {
    return isSecret(this.of(...about))(given);
  }
}
