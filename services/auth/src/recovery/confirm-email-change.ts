import { isRejection } from '@lyceum/kernel';
import { findAccount } from '../domain/accounts/account-registry.ts';
import { openAccountIn } from '../domain/accounts/account.state.ts';
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

/** Asks whether the account is to have the new address. */
export const showEmailChange: Step = async (exchange) => {
  const { ports, school, texts } = exchange;
  const link = linkOf(exchange, 'change');
  const pending = (await findAccount(ports, school.id, link.account))?.pendingEmail;
  if (pending?.change !== link.change) throw linkProblem('change');
  const slots = { email: html`<bdi>${pending.email}</bdi>`, school: html`<bdi>${school.name}</bdi>` };
  exchange.reply = pageReply(exchange, confirmPage, {
    form: { action: linkPaths.change, hidden: { token: tokenOf(exchange), csrf: localFormToken(exchange) } },
    title: texts.emailChangeTitle,
    message: sentence(texts, 'emailChangeLead', slots),
    yes: texts.emailChangeConfirm,
  });
};

/** Confirms the change from one side. With both the account has the new address, unless another one took it meanwhile. */
export const confirmEmailChange: Step = async (exchange) => {
  const { ports, texts } = exchange;
  const { account: id, change, side } = linkOf(exchange, 'change');
  const command = { type: 'ConfirmEmailChange', change, side, now: ports.clock.now() } as const;
  const done = await writeAccount(exchange, id, command);
  if (isRejection(done)) throw linkProblem('change');
  const { email, pendingEmail } = openAccountIn(done.state)!;
  const shown = pendingEmail
    ? { title: texts.emailChangeHalfTitle, message: texts.emailChangeHalf }
    : {
        title: texts.emailChangedTitle,
        message: sentence(texts, 'emailChanged', { email: html`<bdi>${email}</bdi>` }),
      };
  const onward = { href: accountPaths.account, label: texts.accountNavigation };
  exchange.reply = pageReply(exchange, noticePage, { ...shown, onward });
};
