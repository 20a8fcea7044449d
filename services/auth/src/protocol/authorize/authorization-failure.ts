import { printable } from '@lyceum/oauth';
import { problemFrom } from '@lyceum/web';
import type { Exchange, Reply } from '../../http/exchange/exchange.ts';
import { failurePage, pageFailure } from '../../http/replies/failure-replies.ts';
import { PageProblem } from '../../http/replies/page-problem.ts';
import { AuthorizationError } from './authorization-error.ts';
import { clientRedirect } from './code-response.ts';
import { redirectUriSlot } from './redirect-target.ts';
import { isExpectedRedirect, redirectWarning } from './redirect-warning.ts';

/**
 * The reply when a step of the authorization endpoint threw: a redirect that reports it to the client, once the redirect
 * URI is checked, also for faults of this server; else a page. A person who only followed a link is asked before the
 * browser goes to a client that they have not met.
 * @see RFC 6749 §4.1.2.1, RFC 9207 §2, RFC 9700 §4.11.2
 */
export async function authorizationFailure(exchange: Exchange, error: unknown): Promise<Reply> {
  const reported = error instanceof AuthorizationError ? error : serverError(error);
  const redirect = reported && redirectOf(exchange, reported);
  if (!redirect) return pageOf(exchange, error);
  if (await isExpectedRedirect(exchange)) return redirect;
  return { ...redirectWarning(exchange, redirect, reported.message), code: reported.code };
}

/** The reply when a step of our sign-in or consent form threw: a refusal is reported to the client, a fault is a page. */
export function authorizationFormFailure(exchange: Exchange, error: unknown): Reply {
  return (error instanceof AuthorizationError ? redirectOf(exchange, error) : undefined) ?? pageOf(exchange, error);
}

function redirectOf(exchange: Exchange, { code, message }: AuthorizationError): Reply | undefined {
  if (exchange.get(redirectUriSlot) === undefined) return undefined;
  return { ...clientRedirect(exchange, { error: code, error_description: printable(message) }), code };
}

function pageOf(exchange: Exchange, error: unknown): Reply {
  if (!(error instanceof AuthorizationError)) return pageFailure(exchange, error);
  const shown = { title: exchange.texts.requestRefused, message: `${error.message}.` };
  return { ...failurePage(exchange, shown, 400), code: error.code };
}

/** @see RFC 6749 §4.1.2.1 */
function serverError(error: unknown): AuthorizationError | undefined {
  if (error instanceof PageProblem) return undefined;
  const { status, code, message } = problemFrom(error);
  if (status < 500) return undefined;
  return new AuthorizationError(code === 'temporarily_unavailable' ? code : 'server_error', message);
}
