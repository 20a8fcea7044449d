import type { Clock, Ids } from '@lyceum/kernel';
import type { Context, Middleware } from 'koa';
import type { AccessLine, Logger } from './access-log.ts';
import { allowAnyOrigin, answerPreflight, isPreflight } from './cors.ts';
import { problemBody, problemFrom } from './problem-body.ts';
import type { Problem } from './problem.ts';
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
export function shell({ service, logger, ids, clock }: ShellOptions): Middleware {
  return async (context, next) => {
    const began = clock.now();
    const sent = context.get('X-Request-Id');
    const requestId = saneRequestId.test(sent) ? sent : ids.next('req');
    context.state['requestId'] = requestId;
    context.set('X-Request-Id', requestId);
    allowAnyOrigin(context);
    try {
      if (isPreflight(context)) answerPreflight(context);
      else await next();
    } catch (error) {
      const problem = problemFrom(error);
      if (problem.status >= 500)
        logger.error({ service, request_id: requestId, route: routeOf(context), err: problem.cause }, problem.code);
      answerProblem(context, problem, requestId);
    }
    logger.info(lineOf(context, service, requestId, clock.now() - began));
  };
}

const routeOf = (context: Context): string => (context.state['route'] as string | undefined) ?? '-';

function lineOf(context: Context, service: string, requestId: string, duration: number): AccessLine {
  const { school, client } = context.state as { school?: string; client?: string };
  const trace = traceIdOf(context.headers['traceparent']);
  return {
    service,
    method: context.method,
    route: routeOf(context),
    status: context.status,
    duration_ms: duration,
    request_id: requestId,
    ...(trace === undefined ? {} : { trace_id: trace }),
    ...(school === undefined ? {} : { school }),
    ...(client === undefined ? {} : { client }),
  };
}

function answerProblem(context: Context, problem: Problem, requestId: string): void {
  const asDocument = context.accepts('application/json', 'application/problem+json') === 'application/problem+json';
  context.status = problem.status;
  context.set('Cache-Control', 'no-store');
  context.set({ ...problem.headers });
  context.set('Content-Type', asDocument ? 'application/problem+json' : 'application/json');
  context.body = JSON.stringify(problemBody(problem, requestId, asDocument));
}
