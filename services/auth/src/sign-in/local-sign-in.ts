import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { startSession, sessionSlot } from '../http/session/browser-session.ts';
import { isAfterSignIn, accountPaths, signUpPath } from '../local-paths.ts';
import type { SignInModel } from '../pages/models/page-models.ts';
import { signInPage } from '../pages/sign-in-page.ts';
import { mayAnybodySignUp } from '../school-projections/school.ts';
import { attemptPassword, refusalOf } from './password-attempt.ts';

/** Shows the sign-in page when no person is signed in, and afterwards the requested page. */
export const requireSession: Step = (exchange) => {
  if (!exchange.get(sessionSlot)) show(exchange, new URL(exchange.request.url!, 'http://path').pathname, 200);
};

/**
 * The sign-in page for another page of the school, which it leads to afterwards: `to`. A person who is signed in is there at
 * once.
 */
export const openSignIn: Step = (exchange) => {
  const to = exchange.query.get('to') ?? '';
  if (exchange.get(sessionSlot)) exchange.reply = { status: 303, headers: { Location: afterSignIn(to) } };
  else show(exchange, to, 200);
};

/** Where a person goes after signing in. */
const afterSignIn = (to: string): string => (isAfterSignIn(to) ? to : accountPaths.apps);

/**
 * Checks e-mail and password as the sign-in page of an application does, then shows the page that was asked for: one of
 * ours, never another address.
 */
export const signInToAccountPages: Step = async (exchange) => {
  const to = exchange.require(formSlot).get('to') ?? '';
  const tried = await attemptPassword(exchange);
  if ('account' in tried) {
    await startSession(exchange, tried.account.id);
    exchange.reply = { status: 303, headers: { Location: afterSignIn(to) } };
    return;
  }
  const { status, problem, headers } = refusalOf(exchange, tried.wait);
  show(exchange, to, status, { email: exchange.require(formSlot).get('email')?.slice(0, 320) ?? '', problem }, headers);
};

function show(
  exchange: Exchange,
  to: string,
  status: number,
  typed: Pick<SignInModel, 'email' | 'problem'> = {},
  headers: Readonly<Record<string, string>> = {},
): void {
  const hidden = { to: afterSignIn(to), csrf: localFormToken(exchange) };
  const form = { action: accountPaths.signIn, hidden };
  const signUp = mayAnybodySignUp(exchange.school) ? { signUp: signUpPath } : {};
  exchange.reply = pageReply(exchange, signInPage, { form, ...signUp, ...typed }, { status, headers });
}
