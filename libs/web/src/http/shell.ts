import type { Clock, Ids } from '@lyceum/kernel';
import type { AccessLine, Logger } from './access-log.ts';
import type { Exchange } from './exchange.ts';
import { problemBody, problemFrom } from '../replies/problem-body.ts';
import type { Problem } from '../replies/problem.ts';
import { requestIdOf } from './request-id.ts';
import { safePath } from './safe-path.ts';
import { traceIdOf } from './trace-context.ts';

/** What the outermost layer needs. */
export interface ShellOptions {
  readonly service: string;
  readonly logger: Logger;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** The outermost layer of every service: request id, bodies of errors and one log line per request. */
export function shell({ service, logger, ids, clock }: ShellOptions) {
  return async (context: Exchange, next: () => Promise<unknown>): Promise<void> => {
    const began = clock.now();
    const requestId = requestIdOf(context.headers['x-request-id'], ids);
    context.state.requestId = requestId;
    context.set('x-request-id', requestId);
    try {
      await next();
    } catch (error) {
      const problem = problemFrom(error);
      context.state.code = problem.code;
      logFailure(logger, { service, request_id: requestId, route: context.state.route }, problem);
      answerProblem(context, problem, requestId);
    }
    logger.info(lineOf(context, service, requestId, clock.now() - began));
  };
}

/** The line about a failure of this server, with what the client does not get to read. */
export function logFailure(
  logger: Logger,
  {
    route = '-',
    ...request
  }: { readonly service: string; readonly request_id: string; readonly route?: string | undefined },
  { status, cause, code }: Problem,
): void {
  if (status >= 500) logger.error({ ...request, route, err: cause }, code);
}

function lineOf(context: Exchange, service: string, requestId: string, duration: number): AccessLine {
  const { school, client, code, route, noted } = context.state;
  return {
    service,
    method: context.method,
    route: route ?? '-',
    status: context.status,
    duration_ms: duration,
    request_id: requestId,
    trace_id: traceIdOf(context.headers['traceparent']),
    school,
    client,
    ...(code === undefined ? {} : { code }),
    ...(route === undefined && context.status >= 400 ? { path: safePath(context.path) } : {}),
    ...noted,
  };
}

function answerProblem(context: Exchange, problem: Problem, requestId: string): void {
  const asDocument = context.accepts('application/json', 'application/problem+json') === 'application/problem+json';
  context.status = problem.status;
  context.set('cache-control', 'no-store');
  context.set({ ...problem.headers });
  context.set('content-type', asDocument ? 'application/problem+json' : 'application/json');
  const body = problemBody(problem, requestId, asDocument);
  context.body = context.isLocal ? body : JSON.stringify(body);
}
