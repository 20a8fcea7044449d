import { isRejection } from '@lyceum/kernel';
import { passwordProblem } from '../domain/accounts/password-strength.ts';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { startSession, accountSlot } from '../http/session/browser-session.ts';
import { accountPaths } from '../local-paths.ts';
import type { Html } from '../pages/markup/html.ts';
import { newPasswordPage } from '../pages/new-password-page.ts';
import { noticePage } from '../pages/notice-page.ts';
import { refusalOf } from '../sign-in/password-attempt.ts';
import { beginAttempt } from '../sign-in/sign-in-throttle.ts';
import { writeAccount } from './write-account.ts';

/** Asks for the current password and a new one. */
export const showChangePassword: Step = (exchange) => show(exchange, 200);

/**
 * Changes the password of the signed-in person who knows the current one. Every sign-in, grant and token from before ends;
 * this browser goes on with a new session. Guesses of the current password are slowed down like guesses at sign-in.
 */
export const changePassword: Step = async (exchange) => {
  const { ports, school, texts } = exchange;
  const owner = exchange.require(accountSlot);
  const form = exchange.require(formSlot);
  const permission = await beginAttempt(exchange, owner.email);
  if (!('succeeded' in permission)) return refuse(exchange, permission.wait);
  if (!(await ports.passwords.verify(owner.passwordHash, form.get('current') ?? '', school.id)))
    return refuse(exchange, permission.wait);
  await permission.succeeded();
  const password = form.get('password') ?? '';
  const problem = await passwordProblem(password, { ...owner, school: school.name });
  if (problem) return show(exchange, 400, texts[problem]);
  const passwordHash = await ports.passwords.hash(password, school.id);
  // The millisecond before, because this browser's new session may begin in this one.
  const by = { who: 'person', now: ports.clock.now() - 1 } as const;
  const command = { type: 'ChangePassword', passwordHash, by, instead: owner.passwordHash } as const;
  const done = await writeAccount(exchange, owner.id, command);
  if (isRejection(done)) return show(exchange, 409, texts.currentPasswordWrong);
  await startSession(exchange, owner.id);
  exchange.reply = pageReply(exchange, noticePage, {
    title: texts.passwordSavedTitle,
    message: texts.passwordChangedHere,
    onward: { href: accountPaths.sessions, label: texts.sessionsTitle },
  });
};

function refuse(exchange: Exchange, wait: number): void {
  const { status, problem, headers } = refusalOf(exchange, wait);
  show(exchange, status === 401 ? 403 : status, wait > 0 ? problem : exchange.texts.currentPasswordWrong, headers);
}

function show(
  exchange: Exchange,
  status: number,
  problem?: string | Html,
  headers: Readonly<Record<string, string>> = {},
): void {
  const form = { action: accountPaths.password, hidden: { csrf: localFormToken(exchange) } };
  const { email } = exchange.require(accountSlot);
  const shown = { form, email, asksCurrent: true, ...(problem === undefined ? {} : { problem }) };
  exchange.reply = pageReply(exchange, newPasswordPage, shown, { status, headers });
}
