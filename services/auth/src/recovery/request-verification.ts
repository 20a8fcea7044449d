import { isRejection } from '@lyceum/kernel';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { accountSlot } from '../http/session/browser-session.ts';
import { accountPaths } from '../local-paths.ts';
import { confirmPage } from '../pages/confirm-page.ts';
import { html } from '../pages/markup/html.ts';
import { sentence } from '../pages/markup/sentence.ts';
import type { NoticeModel } from '../pages/models/recovery-models.ts';
import { noticePage } from '../pages/notice-page.ts';
import { writeAccount } from './write-account.ts';

type Notice = Pick<NoticeModel, 'title' | 'message'>;

/** Offers to send a link to the address of the signed-in person, unless it is confirmed already. */
export const showRequestVerification: Step = (exchange) => {
  const { texts } = exchange;
  const { email, emailVerified } = exchange.require(accountSlot);
  if (emailVerified) return showNotice(exchange, knownAddress(exchange));
  exchange.reply = pageReply(exchange, confirmPage, {
    form: { action: accountPaths.email, hidden: { csrf: localFormToken(exchange) } },
    title: texts.verifyTitle,
    message: sentence(texts, 'verifyAskLead', { email: html`<bdi>${email}</bdi>` }),
    yes: texts.resetSend,
  });
};

/** Has the link sent, once a minute at most: a repeated request is answered the same. @see OIDC Core §5.1 */
export const requestVerification: Step = async (exchange) => {
  const { ports, texts } = exchange;
  const { id, emailVerified } = exchange.require(accountSlot);
  const done = await writeAccount(exchange, id, { type: 'AskVerification', now: ports.clock.now() });
  if (isRejection(done)) throw new Error(done.reason);
  showNotice(
    exchange,
    emailVerified ? knownAddress(exchange) : { title: texts.mailSentTitle, message: texts.verifySent },
  );
};

/** Nothing is confirmed by opening the page: that was done before, by a link. */
function knownAddress(exchange: Exchange): Notice {
  const { texts } = exchange;
  const email = html`<bdi>${exchange.require(accountSlot).email}</bdi>`;
  return { title: texts.emailKnownTitle, message: sentence(texts, 'emailKnown', { email }) };
}

function showNotice(exchange: Exchange, said: Notice): void {
  const onward = { href: accountPaths.apps, label: exchange.texts.accountNavigation };
  exchange.reply = pageReply(exchange, noticePage, { ...said, onward });
}
