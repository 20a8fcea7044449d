import { problemBody, problemFrom } from '@lyceum/web';
import { printable } from '@lyceum/oauth';
import { answerClient } from '../../protocol/authorize/code-response.ts';
import { leavingPage, mayLeave } from '../../protocol/authorize/redirect-warning.ts';
import { errorPage } from '../../pages/error-page.ts';
import type { Texts } from '../../pages/texts/texts.ts';
import { waitSentence } from '../../pages/markup/wait-sentence.ts';
import type { Exchange, Reply } from '../exchange/exchange.ts';
import { AuthorizationError, PageProblem } from './failures.ts';
import { pageReply } from './page-reply.ts';

/** Neither answers nor errors of this server may be kept by anyone. @see RFC 6749 §5.1 */
const unkept = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** What a program gets to read when a step threw. */
export function programFailure(error: unknown, requestId: string): Reply {
  const problem = problemFrom(error);
  return {
    status: problem.status,
    headers: problem.headers,
    body: problemBody(problem, requestId, false),
  };
}

/**
 * What a person gets to see when a step threw: a redirect that tells the client, once the address to return to is
 * checked; a page before that, and whenever the client is not to be told. Whoever follows a link to the authorization
 * endpoint (`mayRedirect`) is not sent on to a client that they have never met.
 * @see RFC 6749 §4.1.2.1, RFC 9207 §2, RFC 9700 §4.11.2
 */
export async function personFailure(exchange: Exchange, error: unknown, mayRedirect: boolean): Promise<Reply> {
  const told = error instanceof AuthorizationError ? error : mayRedirect ? asAuthorizationError(error) : undefined;
  if (told && exchange.maybe('redirectUri') !== undefined) {
    answerClient(exchange, { error: told.code, error_description: printable(told.message) });
    const redirect = { ...exchange.reply!, code: told.code };
    if (!mayRedirect || (await mayLeave(exchange))) return redirect;
    return { ...leavingPage(exchange, redirect, told.message), code: told.code };
  }
  const { status, headers, ...shown } = pageOf(error, exchange.texts);
  const { code = error instanceof AuthorizationError ? error.code : undefined } = shown;
  const page = pageReply(exchange, errorPage, { ...shown, requestId: exchange.requestId }, { status, headers });
  return code === undefined ? page : { ...page, code };
}

function asAuthorizationError(error: unknown): AuthorizationError | undefined {
  if (error instanceof PageProblem) return undefined;
  const { status, code, message } = problemFrom(error);
  if (status < 500) return undefined;
  return new AuthorizationError(code === 'temporarily_unavailable' ? code : 'server_error', message);
}

/** What is said to developers stays in English. */
function pageOf(error: unknown, texts: Texts) {
  if (error instanceof PageProblem) {
    const { status, title, explanation, code, wayOut } = error;
    const onward = wayOut && { href: wayOut.href, label: texts[wayOut.label] };
    return { status, title: texts[title], message: texts[explanation], code, onward, headers: {} };
  }
  if (error instanceof AuthorizationError)
    return { status: 400, title: texts.requestRefused, message: `${error.message}.`, headers: {} };
  const { status, code, message, headers } = problemFrom(error);
  const wait = Number(headers['Retry-After']);
  return {
    status,
    title: status >= 500 ? texts.failedHere : texts.requestRefused,
    message: code === 'rate_limited' ? waitSentence(texts, wait) : `${message}.`,
    code,
    headers,
  };
}

/** Completes a reply: nobody keeps it, unless it says otherwise. */
export const withoutKeeping = (reply: Reply): Reply =>
  reply.headers?.['Cache-Control'] === undefined ? { ...reply, headers: { ...unkept, ...reply.headers } } : reply;
