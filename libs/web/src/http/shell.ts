import type { Clock, Ids } from '@lyceum/kernel';
import type { AccessLine, Logger } from './access-log.ts';
import { allowAnyOrigin, answerPreflight, isPreflight } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { problemBody, problemFrom } from '../replies/problem-body.ts';
import type { Problem } from '../replies/problem.ts';
import { safePath } from './safe-path.ts';
import { traceIdOf } from './trace-context.ts';

/** What the outermost layer needs. */
export interface ShellOptions {
  readonly service: string;
  readonly logger: Logger;
  readonly ids: Ids;
  readonly clock: Clock;
}

const saneRequestId = /^[\w.:-]{1,64}$/;

/** The outermost layer: request id, CORS, error bodies and one log line per request. */
export function shell({ service, logger, ids, clock }: ShellOptions) {
  return async (context: Exchange, next: () => Promise<unknown>): Promise<void> => {
    const began = clock.now();
    const sent = context.get('X-Request-Id');
    const requestId = saneRequestId.test(sent) ? sent : ids.next('req');
    context.state['requestId'] = requestId;
    context.set('x-request-id', requestId);
    allowAnyOrigin(context);
    try {
      if (isPreflight(context)) answerPreflight(context);
      else await next();
    } catch (error) {
      const problem = problemFrom(error);
      context.state['code'] = problem.code;
      if (problem.status >= 500)
        logger.error({ service, request_id: requestId, route: routeOf(context), err: problem.cause }, problem.code);
      answerProblem(context, problem, requestId);
    }
    logger.info(lineOf(context, service, requestId, clock.now() - began));
  };
}

const routeOf = (context: Exchange): string => (context.state['route'] as string | undefined) ?? '-';

function lineOf(context: Exchange, service: string, requestId: string, duration: number): AccessLine {
  const { school, client, code, route } = context.state as Partial<Record<keyof AccessLine, string>>;
  return {
    service,
    method: context.method,
    route: routeOf(context),
    status: context.status,
    duration_ms: duration,
    request_id: requestId,
    trace_id: traceIdOf(context.headers['traceparent']),
    school,
    client,
    ...(code === undefined ? {} : { code }),
    ...(route === undefined && context.status >= 400 ? { path: safePath(context.path) } : {}),
  };
}

function answerProblem(context: Exchange, problem: Problem, requestId: string): void {
  const asDocument = context.accepts('application/json', 'application/problem+json') === 'application/problem+json';
  context.status = problem.status;
  context.set('cache-control', 'no-store');
  context.set({ ...problem.headers });
  context.set('content-type', asDocument ? 'application/problem+json' : 'application/json');
  const body = problemBody(problem, requestId, asDocument);
  context.body = context.isInner ? body : JSON.stringify(body);
}
