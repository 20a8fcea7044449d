import { isRejection } from '@lyceum/kernel';
import { findAccount } from '../domain/accounts/account-registry.ts';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Step } from '../http/exchange/exchange.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { accountPaths, linkPaths } from '../local-paths.ts';
import { confirmPage } from '../pages/confirm-page.ts';
import { html } from '../pages/markup/html.ts';
import { sentence } from '../pages/markup/sentence.ts';
import { noticePage } from '../pages/notice-page.ts';
import { linkOf, linkProblem, tokenOf } from './followed-link.ts';
import { writeAccount } from './write-account.ts';

/** Asks whether the address is the person's. Opening the link confirms nothing: mail programs open links too. */
export const showVerifyEmail: Step = async (exchange) => {
  const { ports, school, texts } = exchange;
  const link = linkOf(exchange, 'verify');
  const owner = await findAccount(ports, school.id, link.account);
  if (!owner || owner.emailKey !== link.emailKey) throw linkProblem('verify');
  const slots = { email: html`<bdi>${owner.email}</bdi>`, school: html`<bdi>${school.name}</bdi>` };
  exchange.reply = pageReply(exchange, confirmPage, {
    form: { action: linkPaths.verify, hidden: { token: tokenOf(exchange), csrf: localFormToken(exchange) } },
    title: texts.verifyTitle,
    message: sentence(texts, 'verifyLead', slots),
    yes: texts.verifyConfirm,
  });
};

/** The address is the person's: `email_verified` is true from now on. Repeating changes nothing. @see OIDC Core §5.1 */
export const verifyEmail: Step = async (exchange) => {
  const { texts } = exchange;
  const { account: id, emailKey } = linkOf(exchange, 'verify');
  const done = await writeAccount(exchange, id, { type: 'VerifyEmail', emailKey });
  if (isRejection(done)) throw linkProblem('verify');
  const onward = { href: accountPaths.account, label: texts.accountNavigation };
  exchange.reply = pageReply(exchange, noticePage, { title: texts.verifiedTitle, message: texts.verified, onward });
};
