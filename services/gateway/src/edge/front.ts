import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errors } from '@lyceum/contracts';
import { requestIdOf } from '@lyceum/web';
import type { Handler } from '@lyceum/internal-api';
import type { Absent } from '../discovery/pages/course-page-cache.ts';
import { type Missing, missingPage } from '../discovery/pages/missing-page.ts';
import type { School } from '../routing/school.ts';
import { refuse, defaultHeaders } from '../http/error-response.ts';
import { sendElsewhere } from './issuer-redirect.ts';
import { forward, refuseInFlight } from './forward.ts';
import type { Exchange, EdgeContext } from './edge-context.ts';
import { methods } from './request/request-headers.ts';
import { logWhenAnswered } from './request-log.ts';
import { prefersPage } from './request/prefers-page.ts';
import { sendDocument } from '../http/send-document.ts';
import { traceOf } from './request/trace.ts';
import { type Refusal, type Verdict, judge } from './verdict.ts';

/**
 * Answers every request from outside: names it, judges it, and refuses it, sends a prepared document or hands it to the
 * service that owns the path. Nothing that is refused reaches a service; a client that goes away harms no other.
 */
export function front(context: EdgeContext): Handler {
  const distrusted = new WeakSet<Socket>();
  const gone = (error: Error): void => context.logger.debug({ reason: error.message }, 'client gone');
  return (request, response) => {
    // Node may have read more requests of a connection that is being closed for a malformed one: they are not answered.
    if (distrusted.has(request.socket)) return;
    const requestId = requestIdOf(request.headers['x-request-id'], context.ids);
    const exchange = { request, response, requestId, trace: traceOf(request, context.beginTrace) };
    const verdict = judge(request, context.hosts, context.documents);
    if (verdict.kind === 'refuse' && verdict.close) distrusted.add(request.socket);
    if (verdict.kind === 'forward') forward(context, exchange, verdict);
    else answerInTurn(context, exchange, verdict);
    // No error is emitted before this turn of the event loop is over, and the service has the request already.
    request.on('error', gone);
    response.on('error', gone);
  };
}

/** Answers what is answered here when it is the turn of the school, or of requests that are for no school. */
function answerInTurn(context: EdgeContext, exchange: Exchange, verdict: Exclude<Verdict, { kind: 'forward' }>): void {
  const { school } = verdict;
  const { response } = exchange;
  const run = (): void => answer(context, exchange, verdict);
  context.scheduler.schedule({
    school: school?.id,
    response,
    run,
    refuse: () => refuseInFlight(context, exchange, school, 'school'),
  });
}

/** Answers what is answered here. */
function answer(context: EdgeContext, exchange: Exchange, verdict: Exclude<Verdict, { kind: 'forward' }>): void {
  const { school } = verdict;
  logWhenAnswered(
    context,
    exchange,
    school,
    verdict.kind === 'document' ? verdict.path : '-',
    verdict.kind === 'refuse' ? { code: verdict.code } : {},
  );
  if (verdict.kind === 'document') present(context, exchange, verdict);
  else if (verdict.kind === 'elsewhere')
    sendElsewhere(exchange.response, verdict.location, exchange.requestId, verdict.school);
  else refuseRequest(exchange, verdict);
}

function refuseRequest(
  { request, response, requestId }: Exchange,
  { code, description, status, close, school }: Refusal,
): void {
  const what = missingFor(code, school);
  const varies = what !== undefined;
  const headers = {
    ...(close ? { Connection: 'close' } : {}),
    ...(retryAfter[code] ? { 'Retry-After': retryAfter[code] } : {}),
    ...(code === 'method_not_allowed' ? { Allow: methods.join(', ') } : {}),
    ...(varies ? { Vary: 'Accept, Accept-Language' } : {}),
  };
  if (what && isRead(request) && prefersPage(request.headers.accept)) {
    const languages = request.headers['accept-language'];
    showMissing(response, { what, school, languages, requestId }, { status: status ?? errors[code].status, headers });
  } else refuse(response, code, requestId, { description, status, school, headers });
}

const retryAfter: Readonly<Partial<Record<ErrorCode, string>>> = {
  temporarily_unavailable: '5',
  school_suspended: '3600',
};

/** The page that a person gets for an error; undefined for errors that nobody gets a page for. */
function missingFor(code: ErrorCode, school: School | undefined): Missing['what'] | undefined {
  if (code === 'not_found') return school ? 'page' : 'school';
  if (code === 'temporarily_unavailable') return 'unavailable';
  if (code === 'school_suspended') return 'suspended';
  return code === 'school_closed' ? 'closed' : undefined;
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Sends a person's browser a page in the place of an error of the table. */
function showMissing(
  response: ServerResponse,
  missing: Missing & { readonly school: School | undefined },
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): void {
  const page = missingPage(missing);
  const body = Buffer.from(page.html);
  response.writeHead(status, {
    ...defaultHeaders(missing.requestId, missing.school),
    ...page.headers,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(body);
}

/** Sends a prepared document, when it is made. */
function present(
  { logger }: EdgeContext,
  exchange: Exchange,
  { document, school }: Extract<Verdict, { kind: 'document' }>,
): void {
  const { request, response, requestId } = exchange;
  const sending = async () => {
    const made = await document;
    if (typeof made === 'string') refuseRequest(exchange, absent(made, school));
    else await sendDocument(request, response, made, requestId, school);
  };
  sending().catch((err: unknown) => {
    logger.error({ request_id: requestId, err }, 'a document could not be made');
    if (!response.headersSent) refuse(response, 'server_error', requestId, { school });
  });
}

const absent = (why: Absent, school: School): Refusal => ({
  kind: 'refuse',
  close: false,
  school,
  ...(why === 'missing'
    ? { code: 'not_found', description: 'There is nothing at this path' }
    : { code: 'temporarily_unavailable', description: 'The catalogue cannot be read at the moment' }),
});
