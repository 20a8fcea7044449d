import { cookieLine, sessionCookie } from '@lyceum/web';
import type { AccountHolder } from '../domain/accounts/account-holder.ts';
import { connectedClients, disconnectClient } from '../domain/grants/connected-clients.ts';
import { endSession, accountSessions } from '../domain/sessions/account-sessions.ts';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { sessionSlot, accountSlot } from '../http/session/browser-session.ts';
import { accountPaths } from '../local-paths.ts';
import { clientsPage } from '../pages/clients-page.ts';
import type { AccountPage } from '../pages/models/page-models.ts';
import { sessionsPage } from '../pages/sessions-page.ts';
import { signedOutPage } from '../pages/signed-out-page.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** The address without a page leads to the first one. */
export const goToAccountPages: Step = (exchange) => goTo(exchange, accountPaths.apps);

/** Shows the applications that may use the person's account. */
export const showClients: Step = async (exchange) => {
  const clients = await connectedClients(exchange.ports, holderOf(exchange));
  exchange.reply = pageReply(exchange, clientsPage, { ...pageOf(exchange, accountPaths.apps), clients });
};

/** Ends what one application holds; one that holds nothing any more is not missed. */
export const disconnect: Step = async (exchange) => {
  await disconnectClient(exchange.ports, holderOf(exchange), exchange.require(formSlot).get('client') ?? '');
  goTo(exchange, `${accountPaths.apps}?done`);
};

/** Shows the browsers in which the person is signed in. */
export const showSessions: Step = async (exchange) => {
  const current = exchange.require(sessionSlot).sid;
  const sessions = (await accountSessions(exchange.ports, holderOf(exchange))).map((row) => ({
    ...row,
    current: row.sid === current,
  }));
  exchange.reply = pageReply(exchange, sessionsPage, { ...pageOf(exchange, accountPaths.sessions), sessions });
};

/** Ends one sign-in of the person. Ending this one leads to the sign-in page. */
export const endOneSession: Step = async (exchange) => {
  const sid = exchange.require(formSlot).get('session') ?? '';
  await endSession(exchange.ports, holderOf(exchange), sid);
  if (sid === exchange.require(sessionSlot).sid) forgetSession(exchange);
  goTo(exchange, `${accountPaths.sessions}?done`);
};

/** Ends every sign-in and every grant of the person. */
export const endEverything: Step = async (exchange) => {
  await signOutEverywhere(exchange.ports, holderOf(exchange));
  forgetSession(exchange);
  exchange.reply = pageReply(exchange, signedOutPage, { again: accountPaths.sessions });
};

function holderOf(exchange: Exchange): AccountHolder {
  const { id: account } = exchange.require(accountSlot);
  return { school: exchange.school.id, account, meta: { actor: account, correlation: exchange.requestId } };
}

function pageOf(exchange: Exchange, action: string): Omit<AccountPage, 'school'> {
  const { name, email, emailVerified } = exchange.require(accountSlot);
  return {
    form: { action, hidden: { csrf: localFormToken(exchange) } },
    account: { name, email, emailVerified },
    timezone: exchange.school.timezone,
    paths: accountPaths,
    done: exchange.query.pairs.some(([given]) => given === 'done'),
  };
}

function goTo(exchange: Exchange, path: string): void {
  exchange.reply = { status: 303, headers: { Location: path } };
}

const forgetSession = (exchange: Exchange): void =>
  void exchange.cookies.push(cookieLine(sessionCookie(exchange.school.issuer), '', 0));
