import { isRejection } from '@lyceum/kernel';
import { type KnownAccount, findAccount } from '../domain/accounts/account-registry.ts';
import { passwordProblem } from '../domain/accounts/password-strength.ts';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { accountPaths, linkPaths } from '../local-paths.ts';
import { newPasswordPage } from '../pages/new-password-page.ts';
import { noticePage } from '../pages/notice-page.ts';
import { rememberDevice } from '../sign-in/device-cookie.ts';
import { linkOf, linkProblem, tokenOf } from './followed-link.ts';
import { passwordMark } from './mail-links.ts';
import { writeAccount } from './write-account.ts';

/** Asks for the new password. Looking at the page uses nothing up. */
export const showNewPassword: Step = async (exchange) => show(exchange, await ownerOf(exchange), 200);

/**
 * Sets the new password in the place of the one that the link was made for, and ends every sign-in, grant and token from
 * before in the same commit. Of two that use one link at once, one succeeds.
 */
export const setNewPassword: Step = async (exchange) => {
  const { ports, school, texts } = exchange;
  const owner = await ownerOf(exchange);
  const password = exchange.require(formSlot).get('password') ?? '';
  const problem = await passwordProblem(password, { ...owner, school: school.name });
  if (problem) return show(exchange, owner, 400, texts[problem]);
  const passwordHash = await ports.passwords.hash(password, school.id);
  const by = { who: 'link', now: ports.clock.now() } as const;
  const command = { type: 'ChangePassword', passwordHash, by, instead: owner.passwordHash } as const;
  const done = await writeAccount(exchange, owner.id, command);
  if (isRejection(done)) throw linkProblem('reset');
  await rememberDevice(exchange, owner.email);
  const onward = { href: accountPaths.account, label: texts.signIn };
  const said = { title: texts.passwordSavedTitle, message: texts.passwordSaved, onward };
  exchange.reply = pageReply(exchange, noticePage, said);
};

/** The account whose password the link replaces. */
async function ownerOf(exchange: Exchange): Promise<KnownAccount> {
  const link = linkOf(exchange, 'reset');
  const owner = await findAccount(exchange.ports, exchange.school.id, link.account);
  if (!owner || passwordMark(owner.passwordHash) !== link.password) throw linkProblem('reset');
  return owner;
}

function show(exchange: Exchange, { email }: KnownAccount, status: number, problem?: string): void {
  const hidden = { token: tokenOf(exchange), csrf: localFormToken(exchange) };
  const form = { action: linkPaths.reset, hidden };
  const shown = { form, email, asksCurrent: false, ...(problem === undefined ? {} : { problem }) };
  exchange.reply = pageReply(exchange, newPasswordPage, shown, { status });
}
