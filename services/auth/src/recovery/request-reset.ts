import { isRejection } from '@lyceum/kernel';
import { emailKey } from '../domain/accounts/email-key.ts';
import { write } from '../domain/write.ts';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { resetPath } from '../local-paths.ts';
import { noticePage } from '../pages/notice-page.ts';
import { resetPage } from '../pages/reset-page.ts';
import { recoveryStreamPrefix } from './recovery.events.ts';
import { recoveryDecider } from './recovery.ts';

/** Asks for the address of the account. */
export const showReset: Step = (exchange) => show(exchange, 200);

/**
 * Has a mail with a link sent, if there is an account. That is found out later, elsewhere: here the same is done, in the
 * same time, for every address.
 */
export const requestReset: Step = async (exchange) => {
  const { ports, school, requestId, texts } = exchange;
  const email = exchange.require(formSlot).get('email')?.trim();
  if (email === undefined || email === '') return show(exchange, 400, texts.emailMissing);
  const stream = recoveryStreamPrefix + (await emailKey(ports.vault, school.id, email));
  const target = { school: school.id, stream, meta: { actor: 'anonymous', correlation: requestId } };
  const command = { type: 'AskReset', now: ports.clock.now(), language: texts.lang } as const;
  const done = await write(ports, recoveryDecider, target, command);
  if (isRejection(done)) throw new Error(done.reason);
  const instead = { href: resetPath, label: texts.askAnotherLink };
  exchange.reply = pageReply(exchange, noticePage, { title: texts.mailSentTitle, message: texts.resetSent, instead });
};

function show(exchange: Exchange, status: number, problem?: string): void {
  const form = { action: resetPath, hidden: { csrf: localFormToken(exchange) } };
  const shown = problem === undefined ? { form } : { form, problem };
  exchange.reply = pageReply(exchange, resetPage, shown, { status });
}
