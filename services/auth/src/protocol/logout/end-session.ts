import { storedJson } from '@lyceum/kernel';
import { cookieLine, sessionCookie } from '@lyceum/web';
import { sessionDecider } from '../../domain/sessions/session.ts';
import { sessionStream } from '../../domain/streams.ts';
import { write } from '../../domain/write.ts';
import { browserSecretSlot } from '../../http/cookies/browser-cookie.ts';
import { formNotOurs, localFormToken } from '../../http/csrf/local-form.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { formSlot } from '../../http/exchange/parameters.ts';
import { pageReply } from '../../http/replies/page-reply.ts';
import { sessionSlot } from '../../http/session/browser-session.ts';
import { accountPaths, logoutPaths } from '../../local-paths.ts';
import { confirmPage } from '../../pages/confirm-page.ts';
import { html } from '../../pages/markup/html.ts';
import { sentence } from '../../pages/markup/sentence.ts';
import { noticePage } from '../../pages/notice-page.ts';
import { type LogoutRequest, returnAddress, logoutRequestSlot } from './logout-request.ts';

/**
 * Signs the person out when the client has shown, by an ID token of this very session, that it is theirs; else asks. When
 * nobody is signed in there is nothing to ask, and only a client with an ID token may have the browser back.
 * @see OpenID Connect RP-Initiated Logout 1.0 §2, §6
 */
export const endOrAsk: Step = async (exchange) => {
  const request = exchange.require(logoutRequestSlot);
  const signedIn = exchange.get(sessionSlot);
  if (!signedIn) return leave(exchange, request.hint ? request : undefined);
  const { hint } = request;
  if (hint?.sub !== signedIn.account || hint.sid !== signedIn.sid) return ask(exchange, request);
  await endBrowserSession(exchange);
  leave(exchange, request);
};

/** Takes the person's answer. When the person stays signed in, the client learns nothing. */
export const decideLogout: Step = async (exchange) => {
  const form = exchange.require(formSlot);
  const { texts } = exchange;
  if (form.get('decision') !== 'yes') {
    const onward = { href: accountPaths.account, label: texts.accountNavigation };
    const said = { title: texts.stillSignedInTitle, message: texts.stillSignedIn, onward };
    exchange.reply = pageReply(exchange, noticePage, said);
    return;
  }
  const request = opened(exchange, form.get('logout') ?? '');
  await endBrowserSession(exchange);
  leave(exchange, request);
};

function ask(exchange: Exchange, request: LogoutRequest): void {
  const { texts, school } = exchange;
  const hidden = { logout: sealed(exchange, request), csrf: localFormToken(exchange) };
  exchange.reply = pageReply(exchange, confirmPage, {
    form: { action: logoutPaths.confirm, hidden },
    title: texts.logoutTitle,
    message: sentence(texts, 'logoutLead', { school: html`<bdi>${school.name}</bdi>` }),
    yes: texts.logoutConfirm,
    no: texts.logoutStay,
  });
}

/** Ends the session of this browser, if there is one. Its clients are notified once this is written. */
async function endBrowserSession(exchange: Exchange): Promise<void> {
  const { ports, school, requestId } = exchange;
  const signedIn = exchange.get(sessionSlot);
  if (!signedIn) return;
  const meta = { actor: signedIn.account, correlation: requestId };
  const target = { school: school.id, stream: sessionStream(signedIn.hash), meta };
  await write(ports, sessionDecider, target, { type: 'EndSession', reason: 'signed_out' });
  exchange.cookies.push(cookieLine(sessionCookie(school.issuer), '', 0));
}

function leave(exchange: Exchange, request: LogoutRequest | undefined): void {
  const to = request && returnAddress(request);
  const { texts, school } = exchange;
  const message = sentence(texts, 'loggedOut', { school: html`<bdi>${school.name}</bdi>` });
  const onward = { href: accountPaths.account, label: texts.signInAgain };
  exchange.reply =
    to === undefined
      ? pageReply(exchange, noticePage, { title: texts.loggedOutTitle, message, onward })
      : { status: 303, headers: { Location: to, 'Referrer-Policy': 'no-referrer' } };
}

const boundTo = (exchange: Exchange): readonly string[] => [
  'logout',
  exchange.school.id,
  exchange.require(browserSecretSlot),
];

/** The checked request travels through the page sealed, so that nobody puts another address into it. */
const sealed = (exchange: Exchange, { back, state }: LogoutRequest): string =>
  exchange.ports.sealer.seal('interaction', boundTo(exchange), JSON.stringify({ back, state }));

function opened(exchange: Exchange, text: string): LogoutRequest {
  const json = exchange.ports.sealer.open('interaction', boundTo(exchange), text);
  if (json === undefined) throw formNotOurs();
  const { back, state } = storedJson<Pick<LogoutRequest, 'back' | 'state'>>(json);
  return { hint: undefined, back, state };
}
