import { Router } from '@koa/router';
import { grantTypes, oauthPaths, schoolHeader } from '@lyceum/contracts';
import {
  type AccessLine,
  type Admission,
  type Middleware,
  Problem,
  type WireExchange,
  allowed,
  logFailure,
  methodNotAllowed,
  problemFrom,
  rateLimitHeaders,
} from '@lyceum/web';
import { isForAccountApi } from './account-api/account-api.ts';
import type { AuthPorts } from './http/exchange/auth-ports.ts';
import { type Endpoint, methodsOf, operationFor } from './http/exchange/endpoint.ts';
import { Exchange, type Reply } from './http/exchange/exchange.ts';
import { parametersSlot } from './http/exchange/parameters.ts';
import { preflightHeaders, programsOfAnyOrigin } from './http/replies/cors.ts';
import { pageFailure, programFailure, withoutStoring } from './http/replies/failure-replies.ts';
import { PageProblem } from './http/replies/page-problem.ts';
import { writeReply } from './http/replies/write-reply.ts';
import { countRefused } from './http/steps/limits.ts';
import { endpoints } from './matrix.ts';
import { AuthorizationError } from './protocol/authorize/authorization-error.ts';
import { clientSlot } from './protocol/clients/requesting-client.ts';
import { retriedSlot } from './protocol/token/refresh-grant.ts';
import type { School } from './school-projections/school.ts';

/**
 * The endpoints of the authorization server, one route for each row of the matrix. The school is in `x-school-id`, which only
 * the gateway can set. What is for the account API is handed on to its operations.
 */
export const authEndpoints = (ports: AuthPorts): readonly Middleware[] => [
  routerOf(endpoints, (context, endpoint) => serve(context, endpoint, ports)).routes(),
  (context, next) => (isForAccountApi(context.path) ? next() : refuseUnknownPath(context)),
];

/** Finds the endpoint of a request by its path, which is spelled exactly, whatever the method. */
export function routerOf(
  endpoints: readonly Endpoint[],
  serve: (context: WireExchange, endpoint: Endpoint) => Promise<void>,
): Router {
  const router = new Router({ sensitive: true, strict: true });
  for (const endpoint of endpoints) router.all(endpoint.path, (context) => serve(context, endpoint));
  return router;
}

async function serve(context: WireExchange, endpoint: Endpoint, ports: AuthPorts): Promise<void> {
  context.state.route = endpoint.path;
  const id = noteSchool(context);
  if (context.method === 'OPTIONS') return writeReply(context, { status: 204, headers: optionsOf(endpoint) });
  const school = await ports.schools.get(id);
  const reply = withoutStoring(
    school ? await run(context, endpoint, ports, school) : programFailure(unknownSchool(), context.state.requestId),
  );
  answer(context, endpoint.reader === 'program' ? readableAnywhere(reply) : reply);
}

function refuseUnknownPath(context: WireExchange): void {
  noteSchool(context);
  answer(context, readableAnywhere(programFailure(new Problem('not_found'), context.state.requestId)));
}

const noteSchool = (context: WireExchange): string => (context.state.school = context.get(schoolHeader));

function answer(context: WireExchange, reply: Reply): void {
  context.state.code = reply.code ?? (reply.status >= 400 ? errorOf(reply) : undefined);
  writeReply(context, reply);
}

const readableAnywhere = (reply: Reply): Reply => ({ ...reply, headers: { ...programsOfAnyOrigin, ...reply.headers } });

/** The code in the body of an error. */
const errorOf = ({ body }: Reply): string | undefined =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
    ? body.error
    : undefined;

const answeredBy = (endpoint: Endpoint): readonly string[] =>
  methodsOf(endpoint).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

const optionsOf = (endpoint: Endpoint): Readonly<Record<string, string>> =>
  endpoint.reader === 'program' ? preflightHeaders(answeredBy(endpoint)) : { Allow: allowed(answeredBy(endpoint)) };

/** The gateway knew it, so its facts are on their way here. */
const unknownSchool = () =>
  new Problem('temporarily_unavailable', 'The school is not known here yet: the school service is awaited', {
    headers: { 'Retry-After': '1' },
  });

async function run(context: WireExchange, endpoint: Endpoint, ports: AuthPorts, school: School): Promise<Reply> {
  const { state } = context;
  const exchange = new Exchange(context.req, school, ports, state.requestId);
  const reply = await settle(exchange, endpoint);
  state.client = exchange.get(clientSlot)?.id;
  state.noted = {
    ...(endpoint.path === oauthPaths.token ? tokenLine(exchange, reply) : {}),
    ...limitLine(exchange.admissions),
  };
  const headers = { ...rateLimitHeaders(exchange.admissions), ...reply.headers };
  return { ...reply, headers, ...(exchange.cookies.length > 0 ? { cookies: exchange.cookies } : {}) };
}

/** A rate limit that refused the request, or that could not be counted. */
function limitLine(admissions: readonly Admission[]): Pick<AccessLine, 'policy' | 'limit'> {
  for (const { outcome, policy } of admissions)
    if (outcome !== 'admitted') return { policy: policy.name, limit: outcome };
  return {};
}

/** What of a token request is counted. Grant types are named when they are ours, so that requests cannot add names of their own. */
function tokenLine(exchange: Exchange, { status }: Reply): Pick<AccessLine, 'grant_type' | 'retried'> {
  const asked = exchange.get(parametersSlot)?.get('grant_type') ?? '';
  const grant_type = grantTypes.find((known) => known === asked) ?? 'other';
  const retried = status < 400 && exchange.get(retriedSlot);
  return retried ? { grant_type, retried } : { grant_type };
}

async function settle(exchange: Exchange, endpoint: Endpoint): Promise<Reply> {
  try {
    const operation = operationFor(endpoint, exchange.request.method);
    if (!operation) throw methodNotAllowed(answeredBy(endpoint));
    for (const step of operation.steps) {
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
  logFailure(ports.logger, { service: 'auth', request_id: requestId, route: path }, problemFrom(error));
}
