import { cookieLine, sessionCookie } from '../http/cookies/cookies.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { Parameters } from '../http/exchange/parameters.ts';
import { clientsPage } from '../pages/clients-page.ts';
import type { OwnPage } from '../pages/models/page-models.ts';
import { sessionsPage } from '../pages/sessions-page.ts';
import { signedOutPage } from '../pages/signed-out-page.ts';
import { connectedClients, disconnectClient } from '../domain/grants/connected-clients.ts';
import type { Own } from '../domain/accounts/account-holder.ts';
import { ownFormToken } from '../http/csrf/local-form.ts';
import { ownPaths } from '../local-paths.ts';
import { endSession, ownSessions } from '../domain/sessions/account-sessions.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** The address without a page leads to the first one. */
export const goToOwnPages: Step = (exchange) => goTo(exchange, ownPaths.apps);

/** Shows the applications that may use the person's account. */
export const showClients: Step = async (exchange) => {
  const clients = await connectedClients(exchange.ports, ownOf(exchange));
  exchange.reply = pageReply(exchange, clientsPage, { ...pageOf(exchange, ownPaths.apps), clients });
};

/** Ends what one application holds; one that holds nothing any more is not missed. */
export const disconnect: Step = async (exchange) => {
  await disconnectClient(exchange.ports, ownOf(exchange), exchange.the('form').get('client') ?? '');
  goTo(exchange, `${ownPaths.apps}?done`);
};

/** Shows the browsers in which the person is signed in. */
export const showSessions: Step = async (exchange) => {
  const current = exchange.the('session').sid;
  const sessions = (await ownSessions(exchange.ports, ownOf(exchange))).map((row) => ({
    ...row,
    current: row.sid === current,
  }));
  exchange.reply = pageReply(exchange, sessionsPage, { ...pageOf(exchange, ownPaths.sessions), sessions });
};

/** Ends one sign-in of the person. Ending this one leads to the sign-in page. */
export const endOneSession: Step = async (exchange) => {
  const sid = exchange.the('form').get('session') ?? '';
  await endSession(exchange.ports, ownOf(exchange), sid);
  if (sid === exchange.the('session').sid) forgetSession(exchange);
  goTo(exchange, `${ownPaths.sessions}?done`);
};

/** Ends every sign-in and every grant of the person. */
export const endEverything: Step = async (exchange) => {
  await signOutEverywhere(exchange.ports, ownOf(exchange));
  forgetSession(exchange);
  exchange.reply = pageReply(exchange, signedOutPage, { again: ownPaths.sessions });
};

function ownOf(exchange: Exchange): Own {
  const { id: account } = exchange.the('account');
  return { school: exchange.school.id, account, meta: { actor: account, correlation: exchange.requestId } };
}

function pageOf(exchange: Exchange, action: string): Omit<OwnPage, 'school'> {
  const { url = '' } = exchange.request;
  const at = url.indexOf('?');
  const asked = Parameters.parse(at < 0 ? '' : url.slice(at + 1));
  const { name, email, emailVerified } = exchange.the('account');
  return {
    form: { action, hidden: { csrf: ownFormToken(exchange) } },
    account: { name, email, emailVerified },
    timezone: exchange.school.timezone,
    paths: ownPaths,
    done: asked.pairs.some(([given]) => given === 'done'),
  };
}

function goTo(exchange: Exchange, path: string): void {
  exchange.reply = { status: 303, headers: { Location: path } };
}

const forgetSession = (exchange: Exchange): void =>
  void exchange.cookies.push(cookieLine(sessionCookie(exchange.school.issuer), '', 0));
