import { schoolHeader, schoolOriginHeader, tokenPathHeader } from '@lyceum/contracts';
import { type Trust, type Verifier, verifier } from '@lyceum/oauth';
import type { RouterMiddleware } from '@koa/router';
import Koa from 'koa';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccessLine, type Logger, silentLogger } from '../http/access-log.ts';
import { admit } from './access.ts';
import { answerPreflight, isPreflight, letAnyOriginRead } from './api-cors.ts';
import { answer, nextCursorOf } from '../replies/answer.ts';
import { type Reading, receive, tokenScope } from './call.ts';
import { refuseWhereClosed } from './closure.ts';
import { consistently } from '../requests/consistency.ts';
import { alone } from '../requests/idempotency.ts';
import type { AskedSchool, Exchange } from '../http/exchange.ts';
import { allowed, methodNotAllowed } from '../http/methods.ts';
import { LocalExchange, type OperationRequest, type OperationResponse } from '../http/local-exchange.ts';
import type { Operation, Ports } from './operation.ts';
import { cursorCodec } from '../lists/cursor-codec.ts';
import { prepare } from './prepared.ts';
import { Problem } from '../replies/problem.ts';
import { problemBody, problemFrom } from '../replies/problem-body.ts';
import { defaultBodyLimit } from '../requests/request-body.ts';
import { type Found, Routes } from './routes.ts';
import { requestIdOf } from '../http/request-id.ts';
import { safePath } from '../http/safe-path.ts';
import { traceFields, tracedLayer } from './traced-layer.ts';

/** A layer of a service between the outermost one and the operations. */
export type Middleware = RouterMiddleware;

/** What a service mounts. */
export interface MountOptions {
  /** Name of the service, for the log. */
  readonly service: string;
  readonly operations: readonly Operation[];
  /** Endpoints that are no operations: layers in front of these, which hand on what is for an operation. */
  readonly endpoints?: readonly Middleware[] | undefined;
  readonly ports: Ports;
  readonly trust: Trust;
  readonly logger?: Logger;
  /** Signs list cursors; the same in every replica. Needed when an operation lists. */
  readonly cursorSecret?: string | Uint8Array;
  /** Largest request body, bytes; 256 KiB by default. */
  readonly bodyLimit?: number;
}

/** Operations that are served. */
export interface Mounted {
  /** A handler of requests over connections. */
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /**
   * Calls an operation from inside the process, with the same checks, limits and log line: only the connection and the text
   * of the response are spared. Rejects when the operation takes, gives or streams anything else than JSON.
   */
  ask(request: OperationRequest): Promise<OperationResponse>;
}

/**
 * Serves operations over HTTP. Per request, in this order: request id, school (`x-school-id`, set by the gateway), route,
 * token, scope, role, params, query, body, If-Match, Idempotency-Key, handler, reply filter. Everything that does not
 * depend on the request is worked out here, once. Throws when an operation lists and there is no `cursorSecret`.
 */
export function mount(options: MountOptions): Mounted {
  const { service, operations, endpoints = [], ports, trust, logger = silentLogger, cursorSecret } = options;
  const cursors = cursorSecret === undefined ? undefined : cursorCodec(cursorSecret);
  const reading: Reading = { service, ports, cursors, bodyLimit: options.bodyLimit ?? defaultBodyLimit };
  const verify = verifier({ trust, clock: ports.clock });
  const all = operations.map(prepare);
  for (const { operation, lists } of all)
    if (lists && !cursors) throw new Error(`${operation.id} lists, so mount needs a cursorSecret`);
  const routes = new Routes(all);
  const outermost = tracedLayer(outermostLayer(service, logger, ports), service, ports.tracer);

  const lead = async (context: Exchange, found: Found | undefined): Promise<void> => {
    letAnyOriginRead(context);
    if (isPreflight(context)) return answerPreflight(context);
    const school = askedSchool(context, trust);
    if (found) await serve(context, found, school, { verify, trust }, reading);
    else unrouted(context, routes);
  };

  const app = new Koa();
  app.silent = true;
  app.use(outermost);
  for (const layer of endpoints) app.use(layer);
  app.use((context) => lead(context, routes.find(context.method, context.path)));

  const ask = async (request: OperationRequest): Promise<OperationResponse> => {
    const found = routes.find(request.method, request.path);
    if (found && !isOfJson(found.prepared.operation))
      throw new Error(`${found.prepared.operation.id} takes or gives more than JSON: it is called over a connection`);
    const exchange = new LocalExchange(request);
    await outermost(exchange, () => lead(exchange, found));
    return exchange.response();
  };
  return { callback: () => app.callback(), ask };
}

/** The outermost layer of every service: request id, bodies of errors and one log line per request. */
function outermostLayer(service: string, logger: Logger, { ids, clock }: Ports) {
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
    ...traceFields(context),
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

const isOfJson = ({ takes, gives, streams }: Operation): boolean =>
  takes === undefined && gives === undefined && streams === undefined;

async function serve(
  context: Exchange,
  { prepared, params }: Found,
  school: AskedSchool,
  { verify, trust }: { readonly verify: Verifier; readonly trust: Trust },
  reading: Reading,
): Promise<void> {
  const { operation } = prepared;
  context.state.route = operation.path;
  const path = context.get(tokenPathHeader) || context.path;
  const access = await admit(context.req, path, operation, school, verify);
  context.state.client = access.principal?.client;
  refuseWhereClosed(operation, access, school.id, trust);
  const { call, keyed, bound } = await receive(context, prepared, params, access, school, reading);
  try {
    const run = () => consistently(context, operation, call, reading, () => operation.handle(call, reading.ports));
    const reply = keyed
      ? await alone(reading.ports.ephemeral, school.id, call.commit.commitId, call.requestId, run)
      : await run();
    answer(context, prepared, reply, call, nextCursorOf(reply, reading.cursors, bound), tokenScope(reading));
  } catch (error) {
    throw problemFrom(error, { pinned: call.expected !== undefined, keyed });
  }
}

/** The school that a request is for. Throws when it is none of this installation. */
function askedSchool(context: Exchange, trust: Trust): AskedSchool {
  const trusted = trust.school(context.get(schoolHeader));
  if (!trusted) throw unknownSchool(trust);
  context.state.school = trusted.id;
  const origin = context.get(schoolOriginHeader);
  return trusted.origins?.includes(origin) ? { ...trusted, origin } : trusted;
}

/** Where nobody has told of schools yet, it may well be one. */
const unknownSchool = (trust: Trust): Problem =>
  trust.awaits?.().includes('school')
    ? new Problem('temporarily_unavailable', 'The school is not known here yet: the school service is awaited', {
        headers: { 'Retry-After': '5' },
      })
    : new Problem('not_found', 'There is no school at this address');

/** The path is unknown, or known with other methods only. */
function unrouted(context: Exchange, routes: Routes): void {
  const methods = routes.methodsOf(context.path);
  if (methods.length === 0) throw new Problem('not_found');
  if (context.method !== 'OPTIONS') throw methodNotAllowed(methods);
  context.set('allow', allowed(methods));
  context.status = 204;
}
