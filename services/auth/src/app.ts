import { grantTypes, oauthPaths, schoolHeader } from '@lyceum/contracts';
import type { Handler } from '@lyceum/internal-api';
import { type Admission, Problem, problemFrom, rateLimitHeaders, safePath, traceIdOf } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import type { AuthPorts } from './http/exchange/auth-ports.ts';
import type { Endpoint } from './http/exchange/endpoint.ts';
import { Exchange, type Reply } from './http/exchange/exchange.ts';
import { parametersSlot } from './http/exchange/parameters.ts';
import { pathTable } from './http/exchange/path-table.ts';
import { anyOrigin, preflightHeaders } from './http/replies/cors.ts';
import { pageFailure, programFailure, withoutStoring } from './http/replies/failure-replies.ts';
import { PageProblem } from './http/replies/page-problem.ts';
import { send } from './http/replies/send.ts';
import { countRefused } from './http/steps/limits.ts';
import { endpoints } from './matrix.ts';
import { AuthorizationError } from './protocol/authorize/authorization-error.ts';
import { clientSlot } from './protocol/clients/requesting-client.ts';
import { retriedSlot } from './protocol/token/refresh-grant.ts';
import type { School } from './school-projections/school-directory.ts';

const service = 'auth';
const saneRequestId = /^[\w.:-]{1,64}$/;

/**
 * The HTTP handler of the authorization server. The school is in `x-school-id`, which only the gateway can set. Without a
 * framework: its endpoints are few and are found by their paths, and half of the time of an answer would be routing.
 */
export function authApp(ports: AuthPorts): Handler {
  const endpointAt = pathTable(endpoints);
  return (request, response) => {
    const began = ports.clock.now();
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && saneRequestId.test(sent) ? sent : ports.ids.next('req');
    response.setHeader('X-Request-Id', requestId);
    const asked: Asked = { request, requestId, noted: {} };
    const answering = answerAt(asked, endpointAt(request.url ?? '/'), ports).catch((error: unknown) => {
      ports.logger.error({ service, request_id: requestId, err: error }, 'a request could not be answered');
      return programFailure(error, requestId);
    });
    return answering.then((reply) => {
      log(ports, asked, reply, began);
      send(request, response, reply);
    });
  };
}

/** A request, and what is to be said of it in its line. */
interface Asked {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly noted: Noted;
}

function answerAt(asked: Asked, endpoint: Endpoint | undefined, ports: AuthPorts): Promise<Reply> {
  if (endpoint) {
    asked.noted.route = endpoint.path;
    return answer(asked, endpoint, ports);
  }
  return Promise.resolve({ ...programFailure(new Problem('not_found'), asked.requestId), headers: anyOrigin });
}

/** One line per request: the route's template, never what was sent. */
function log({ clock, logger }: AuthPorts, { request, requestId, noted }: Asked, reply: Reply, began: number): void {
  const { route = '-', client, token = {}, limit = {} } = noted;
  const { status } = reply;
  const code = reply.code ?? (status >= 400 ? (reply.body as { error?: unknown } | undefined)?.error : undefined);
  const { method } = request;
  const school = schoolOf(request);
  const trace = traceIdOf(request.headers['traceparent']);
  const line = {
    service,
    method,
    route,
    status,
    duration_ms: clock.now() - began,
    request_id: requestId,
    ...(trace === undefined ? {} : { trace_id: trace }),
    school,
    ...(typeof code === 'string' ? { code } : {}),
    ...(noted.route === undefined ? { path: safePath(request.url ?? '/') } : {}),
    ...token,
    ...limit,
  };
  logger.info(client === undefined ? line : { ...line, client });
}

const schoolOf = ({ headers }: IncomingMessage): string => String(headers[schoolHeader] ?? '');

/** What the endpoint notes for the line about its request. */
interface Noted {
  route?: string;
  client?: string | undefined;
  token?: TokenLine;
  limit?: LimitLine;
}

async function answer(asked: Asked, endpoint: Endpoint, ports: AuthPorts): Promise<Reply> {
  const forProgram = endpoint.reader === 'program';
  const standing = forProgram ? anyOrigin : {};
  const allowed = endpoint.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  if (asked.request.method === 'OPTIONS')
    return forProgram
      ? { status: 204, headers: preflightHeaders(allowed) }
      : { status: 204, headers: { Allow: [...allowed, 'OPTIONS'].join(', ') } };
  const id = schoolOf(asked.request);
  const school = ports.schools.get(id) ?? (await ports.keptSchool?.(id));
  const reply = withoutStoring(
    school ? await run(asked, endpoint, ports, school, allowed) : programFailure(unknownSchool(), asked.requestId),
  );
  return { ...reply, headers: { ...standing, ...reply.headers } };
}

/** The gateway knew it, so its facts are on their way here. */
const unknownSchool = () =>
  new Problem('temporarily_unavailable', 'The school is not known here yet: the school service is awaited', {
    headers: { 'Retry-After': '1' },
  });

async function run(
  { request, requestId, noted }: Asked,
  endpoint: Endpoint,
  ports: AuthPorts,
  school: School,
  allowed: readonly string[],
): Promise<Reply> {
  const exchange = new Exchange(request, school, ports, requestId);
  const reply = await settle(exchange, endpoint, allowed);
  noted.client = exchange.get(clientSlot)?.id;
  if (endpoint.path === oauthPaths.token) noted.token = tokenLine(exchange, reply);
  noted.limit = limitLine(exchange.admissions);
  const headers = { ...rateLimitHeaders(exchange.admissions), ...reply.headers };
  return { ...reply, headers, ...(exchange.cookies.length > 0 ? { cookies: exchange.cookies } : {}) };
}

/** A rate limit that refused the request, or that could not be counted. */
interface LimitLine {
  readonly policy?: string;
  readonly limit?: 'refused' | 'unknown';
}

function limitLine(admissions: readonly Admission[]): LimitLine {
  const notable = admissions.find(({ outcome }) => outcome !== 'admitted');
  return notable ? { policy: notable.policy.name, limit: notable.outcome as 'refused' | 'unknown' } : {};
}

/** What of a token request is counted: how it was asked for, and the code of an error. */
interface TokenLine {
  readonly grant_type?: string;
  readonly code?: string;
  readonly retried?: true;
}

/** Grant types are named when they are ours, so that nobody can make up names. */
function tokenLine(exchange: Exchange, { status, body }: Reply): TokenLine {
  const asked = exchange.get(parametersSlot)?.get('grant_type') ?? '';
  const grant_type = grantTypes.find((known) => known === asked) ?? 'other';
  const retried = exchange.get(retriedSlot);
  if (status < 400) return retried ? { grant_type, retried } : { grant_type };
  return { grant_type, code: String((body as { error?: unknown }).error) };
}

async function settle(exchange: Exchange, endpoint: Endpoint, allowed: readonly string[]): Promise<Reply> {
  try {
    if (!allowed.includes(exchange.request.method ?? ''))
      throw new Problem('method_not_allowed', undefined, { headers: { Allow: [...allowed, 'OPTIONS'].join(', ') } });
    for (const step of endpoint.steps) {
      await step(exchange);
      if (exchange.reply) return exchange.reply;
    }
    throw new Error(`no step of ${endpoint.path} has answered`);
  } catch (refusal) {
    const { policy } = endpoint;
    const isCounted = policy === undefined || exchange.admissions.length > 0;
    const error = isCounted ? refusal : await countRefused(exchange, policy, refusal);
    report(exchange, endpoint, error);
    if (endpoint.failureReply) return await endpoint.failureReply(exchange, error);
    if (endpoint.reader === 'program') return programFailure(error, exchange.requestId);
    return pageFailure(exchange, error);
  }
}

function report({ ports, requestId }: Exchange, { path }: Endpoint, error: unknown): void {
  if (error instanceof PageProblem || error instanceof AuthorizationError) return;
  const problem = problemFrom(error);
  if (problem.status >= 500)
    ports.logger.error({ service, request_id: requestId, route: path, err: problem.cause }, problem.code);
}
