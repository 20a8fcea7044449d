import { isRejection } from '@lyceum/kernel';
import { cookieLine, readCookie, sessionCookie } from '@lyceum/web';
import type { KnownAccount } from '../../domain/accounts/account-registry.ts';
import { lifetimes } from '../../domain/lifetimes.ts';
import { describeBrowser } from '../../domain/sessions/browser-description.ts';
import { findLiveSession } from '../../domain/sessions/live-session.ts';
import { type Session, sessionDecider } from '../../domain/sessions/session.ts';
import { sessionStream } from '../../domain/streams.ts';
import { write } from '../../domain/write.ts';
import { sha256 } from '../../sealing/digest.ts';
import type { Exchange, Step } from '../exchange/exchange.ts';
import { slot } from '../exchange/slot.ts';
import { clientAddress } from '../requests/client-address.ts';

/** The session of this browser, with the hash of its cookie. */
export const sessionSlot = slot<Session & { readonly hash: string }>('the session');

/** The account that is signed in in this browser. */
export const accountSlot = slot<KnownAccount>('the account');

/** Finds out who is signed in in this browser, if anyone. Never refuses. */
export const recogniseSession: Step = async (exchange) => {
  const { request, ports, school } = exchange;
  const cookie = readCookie(request, sessionCookie(school.issuer));
  if (cookie === undefined) return;
  const found = await findLiveSession(ports, school.id, cookie);
  if (!found) return;
  const { session, account, hash } = found;
  exchange.set(sessionSlot, { ...session, hash });
  exchange.set(accountSlot, account);
  await recordUse(exchange, session, hash);
};

/** Records when the browser was last used: to the hour, so that reading pages does not fill the log. */
async function recordUse(
  { ports, school, requestId }: Exchange,
  { account, seen }: Session,
  hash: string,
): Promise<void> {
  const now = ports.clock.now();
  if (now - seen < 3_600_000) return;
  const meta = { actor: account, correlation: requestId };
  await write(
    ports,
    sessionDecider,
    { school: school.id, stream: sessionStream(hash), meta },
    { type: 'UseSession', now },
  );
}

/**
 * Begins a session for an account in this browser, always under a new secret, so that nobody can prepare one for another
 * person; the session before ends.
 * @see OIDC Core §3.1.2.3
 */
export async function startSession(exchange: Exchange, account: string): Promise<void> {
  const { ports, school, requestId } = exchange;
  const meta = { actor: account, correlation: requestId };
  const before = exchange.get(sessionSlot);
  if (before)
    await write(
      ports,
      sessionDecider,
      { school: school.id, stream: sessionStream(before.hash), meta },
      {
        type: 'EndSession',
        reason: 'replaced',
      },
    );
  const secret = ports.ids.secret();
  const target = { school: school.id, stream: sessionStream(sha256(secret)), meta };
  const sid = ports.ids.next('session');
  const begun = await write(ports, sessionDecider, target, {
    type: 'StartSession',
    sid,
    account,
    since: ports.clock.now(),
    from: { ...describeBrowser(exchange.request.headers['user-agent']), address: clientAddress(exchange.request) },
  });
  if (isRejection(begun)) throw new Error(begun.reason);
  exchange.cookies.push(cookieLine(sessionCookie(school.issuer), secret, lifetimes.session));
}
