import { attemptPassword, refusalOf } from './password-attempt.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import type { SignInModel } from '../pages/models/page-models.ts';
import { signInPage } from '../pages/sign-in-page.ts';
import { signUpPath } from '../sign-up/sign-up-path.ts';
import { startSession } from '../http/session/browser-session.ts';
import { ownFormToken } from '../http/csrf/local-form.ts';
import { isOwnPage, ownPaths } from '../local-paths.ts';

/** Shows the sign-in page to whoever is not signed in, and afterwards the page that was asked for. */
export const requireOwnSession: Step = (exchange) => {
  if (!exchange.maybe('session')) show(exchange, new URL(exchange.request.url!, 'http://path').pathname, 200);
};

/**
 * Checks e-mail and password as the sign-in page of an application does, then shows the page that was asked for: one of
 * ours, never another address.
 */
export const signInToOwn: Step = async (exchange) => {
  const to = exchange.the('form').get('to') ?? '';
  const tried = await attemptPassword(exchange);
  if ('account' in tried) {
    await startSession(exchange, tried.account.id);
    exchange.reply = { status: 303, headers: { Location: isOwnPage(to) ? to : ownPaths.apps } };
    return;
  }
  const { status, problem, headers } = refusalOf(exchange, tried.wait);
  show(exchange, to, status, { email: exchange.the('form').get('email')?.slice(0, 320) ?? '', problem }, headers);
};

function show(
  exchange: Exchange,
  to: string,
  status: number,
  typed: Pick<SignInModel, 'email' | 'problem'> = {},
  headers: Readonly<Record<string, string>> = {},
): void {
  const hidden = { to: isOwnPage(to) ? to : ownPaths.apps, csrf: ownFormToken(exchange) };
  const form = { action: ownPaths.signIn, hidden };
  const signUp = exchange.school.signUp === 'open' ? { signUp: signUpPath } : {};
  exchange.reply = pageReply(exchange, signInPage, { form, ...signUp, ...typed }, { status, headers });
}
