import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Span } from '@lyceum/kernel';
import { requestIdOf } from '@lyceum/web';
import type { Handler } from '@lyceum/internal-api';
import { sendElsewhere } from './issuer-redirect.ts';
import { forward, refuseInFlight } from './forward.ts';
import type { Exchange, EdgeContext } from './edge-context.ts';
import { present, refuseRequest } from './present.ts';
import { logWhenAnswered } from './request-log.ts';
import { traceOf } from './request/trace.ts';
import { beginTraced, noteVerdict, underSpan } from './request/traced-request.ts';
import { type Verdict, judge } from './verdict.ts';

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
    const { tracer } = context;
    const trace = tracer ? beginTraced(tracer, request, response) : traceOf(request, context.beginTrace);
    const exchange = { request, response, requestId, trace };
    const verdict = trace.span ? judgeIn(trace.span, context, request) : judge(request, context);
    noteVerdict(trace, request, verdict);
    if (verdict.kind === 'refuse' && verdict.close) distrusted.add(request.socket);
    if (verdict.kind === 'forward') forward(context, exchange, verdict);
    else answerInTurn(context, exchange, verdict);
    // No error is emitted before this turn of the event loop is over, and the service has the request already.
    request.on('error', gone);
    response.on('error', gone);
  };
}

/** Judges a request in its span: what has to be read for that belongs to it. */
const judgeIn = (span: Span, context: EdgeContext, request: IncomingMessage): Verdict =>
  span.run(() => judge(request, context));

/** Answers what is answered here when it is the turn of the school, or of requests that are for no school. */
function answerInTurn(context: EdgeContext, exchange: Exchange, verdict: Exclude<Verdict, { kind: 'forward' }>): void {
  const { school } = verdict;
  const { response } = exchange;
  const run = underSpan(exchange.trace, () => answer(context, exchange, verdict));
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
    verdict.kind === 'document' ? verdict.route : '-',
    verdict.kind === 'refuse' ? { code: verdict.code } : {},
  );
  if (verdict.kind === 'document') present(context, exchange, verdict);
  else if (verdict.kind === 'elsewhere')
    sendElsewhere(exchange.response, verdict.location, exchange.requestId, verdict.school);
  else refuseRequest(exchange, verdict);
}
