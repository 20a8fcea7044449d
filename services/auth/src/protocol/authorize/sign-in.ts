import { oauthPaths } from '@lyceum/contracts';
import { redirectHost } from '../../domain/clients/redirect-uri.ts';
import { seconds } from '../../domain/write.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { parametersSlot, formSlot } from '../../http/exchange/parameters.ts';
import { pageReply } from '../../http/replies/page-reply.ts';
import { startSession, sessionSlot } from '../../http/session/browser-session.ts';
import { interactionPaths, signUpPath } from '../../local-paths.ts';
import type { Html } from '../../pages/markup/html.ts';
import { signInPage } from '../../pages/sign-in-page.ts';
import { mayAnybodySignUp } from '../../school-projections/school.ts';
import { attemptPassword, refusalOf } from '../../sign-in/password-attempt.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { AuthorizationError } from './authorization-error.ts';
import { authorizationRequestSlot } from './authorization-request.ts';
import { csrfToken } from './interaction-csrf.ts';
import { resumeAt, otherAccountSlot, startedSlot, interactionSlot } from './interaction.ts';
import { hintedAccountSlot } from './read-id-token-hint.ts';
import { redirectUriSlot } from './redirect-target.ts';

/**
 * Shows the sign-in page when nobody is signed in, when somebody else is than the client hints at, or when the request
 * asks for a fresh sign-in and there was none since it began. A sign-in as another person ends the request.
 * @see OIDC Core §3.1.2.1, §3.1.2.2, §3.1.2.3, §3.1.2.6
 */
export const requireSignIn: Step = (exchange) => {
  if (!needsSignIn(exchange)) return;
  if (isFresh(exchange) && isSomebodyElse(exchange))
    throw new AuthorizationError('login_required', 'Another person signed in than id_token_hint names');
  if (exchange.require(authorizationRequestSlot).prompts.has('none'))
    throw new AuthorizationError('login_required', 'The person has to sign in');
  showSignIn(exchange, 200, exchange.require(parametersSlot).get('login_hint'));
};

/** When the session is over at a consent form, the person signs in again instead of seeing an error. */
export const resumeWhenSignedOut: Step = (exchange) => {
  if (needsSignIn(exchange)) resume(exchange);
};

/**
 * Checks e-mail and password. The answer for an unknown account is the same, after the same time, as for a wrong password.
 * Success begins a session and takes up the request from its beginning.
 */
export const signIn: Step = async (exchange) => {
  const tried = await attemptPassword(exchange);
  if (!('account' in tried)) return refuse(exchange, tried.wait);
  await startSession(exchange, tried.account.id);
  resume(exchange);
};

function needsSignIn(exchange: Exchange): boolean {
  const session = exchange.get(sessionSlot);
  if (!session || isSomebodyElse(exchange) || exchange.get(otherAccountSlot)) return true;
  const { prompts, maxAge } = exchange.require(authorizationRequestSlot);
  if (isFresh(exchange)) return false;
  if (prompts.has('login') || prompts.has('select_account') || maxAge === 0) return true;
  return maxAge !== undefined && seconds(exchange.ports.clock) - session.authTime > maxAge;
}

/** Whether the sign-in came after the request, and so because of it. */
const isFresh = (exchange: Exchange): boolean =>
  (exchange.get(sessionSlot)?.since ?? -Infinity) >= exchange.require(startedSlot);

function isSomebodyElse(exchange: Exchange): boolean {
  const hinted = exchange.get(hintedAccountSlot);
  return hinted !== undefined && hinted !== exchange.require(sessionSlot).account;
}

function resume(exchange: Exchange): void {
  exchange.reply = { status: 303, headers: { Location: resumeAt(oauthPaths.authorize, exchange) } };
}

function refuse(exchange: Exchange, wait: number): void {
  const { status, problem, headers } = refusalOf(exchange, wait);
  showSignIn(exchange, status, exchange.require(formSlot).get('email'), problem, headers);
}

function showSignIn(
  exchange: Exchange,
  status: number,
  email: string | undefined,
  problem?: string | Html,
  headers: Readonly<Record<string, string>> = {},
): void {
  const client = exchange.require(clientSlot);
  const hidden = { interaction: exchange.require(interactionSlot), csrf: csrfToken(exchange, 'sign-in') };
  const shown = {
    form: { action: interactionPaths.signIn, hidden },
    client: {
      name: client.metadata.client_name ?? client.id,
      redirectHost: redirectHost(exchange.require(redirectUriSlot)),
    },
    ...(mayAnybodySignUp(exchange.school) ? { signUp: resumeAt(signUpPath, exchange) } : {}),
    ...(email === undefined ? {} : { email: email.slice(0, 320) }),
    ...(problem === undefined ? {} : { problem }),
  };
  exchange.reply = pageReply(exchange, signInPage, shown, { status, headers });
}
