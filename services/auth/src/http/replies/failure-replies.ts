import { problemBody, problemFrom } from '@lyceum/web';
import { errorPage } from '../../pages/error-page.ts';
import { waitSentence } from '../../pages/markup/wait-sentence.ts';
import type { ErrorModel } from '../../pages/models/page-models.ts';
import type { Texts } from '../../pages/texts/texts.ts';
import type { Exchange, Reply } from '../exchange/exchange.ts';
import { PageProblem } from './page-problem.ts';
import { pageReply } from './page-reply.ts';

/** Neither answers nor errors of this server may be stored. @see RFC 6749 §5.1 */
const notStored = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** The JSON body that a program gets when a step threw. */
export function programFailure(error: unknown, requestId: string): Reply {
  const problem = problemFrom(error);
  return {
    status: problem.status,
    headers: problem.headers,
    body: problemBody(problem, requestId, false),
  };
}

/** The page that a person gets when a step threw. */
export function pageFailure(exchange: Exchange, error: unknown): Reply {
  const { status, headers, ...shown } = pageOf(error, exchange.texts);
  return failurePage(exchange, shown, status, headers);
}

/** The page about a failure, with the id of the request. */
export function failurePage(
  exchange: Exchange,
  shown: Omit<ErrorModel, 'school' | 'requestId'>,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const page = pageReply(exchange, errorPage, { ...shown, requestId: exchange.requestId }, { status, headers });
  return shown.code === undefined ? page : { ...page, code: shown.code };
}

/** Messages for developers stay in English. */
function pageOf(error: unknown, texts: Texts) {
  if (error instanceof PageProblem) {
    const { status, title, explanation, code, wayOut } = error;
    const onward = wayOut && { href: wayOut.href, label: texts[wayOut.label] };
    return { status, title: texts[title], message: texts[explanation], code, onward, headers: {} };
  }
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

/** Completes a reply: it must not be stored, unless it says otherwise. */
export const withoutStoring = (reply: Reply): Reply =>
  reply.headers?.['Cache-Control'] === undefined ? { ...reply, headers: { ...notStored, ...reply.headers } } : reply;
