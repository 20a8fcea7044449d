import { Router } from '@koa/router';
import { grantTypes, oauthPaths, schoolHeader } from '@lyceum/contracts';
import { type Admission, Problem, problemFrom, rateLimitHeaders } from '@lyceum/web';
import Koa, { type Context } from 'koa';
import { personFailure, programFailure, withoutKeeping } from './endpoint/answer.ts';
import { anyOrigin, preflightHeaders } from './endpoint/cors.ts';
import { Exchange, type Reply } from './endpoint/exchange.ts';
import { AuthorizationError, PageProblem } from './endpoint/failure.ts';
import type { Endpoint } from './endpoint/table.ts';
import { endpoints } from './matrix.ts';
import type { AuthPorts } from './ports.ts';
import type { School } from './schools/school-directory.ts';

const service = 'auth';
const saneRequestId = /^[\w.:-]{1,64}$/;

/** The HTTP face of the authorization server. The school stands in `x-school-id`, which only the gateway can set. */
export function authApp(ports: AuthPorts): Koa {
  const router = new Router({ sensitive: true, strict: true });
  for (const endpoint of endpoints)
    router.all(endpoint.path, async (context) => {
      const koa = context as unknown as Context;
      koa.state['route'] = endpoint.path;
      send(koa, await answer(koa, endpoint, ports));
    });
  const app = new Koa();
  app.silent = true;
  app.use(logged(ports));
  app.use(router.routes() as unknown as Koa.Middleware);
  app.use((context) => {
    send(context, { ...programFailure(new Problem('not_found'), requestIdOf(context)), headers: anyOrigin });
  });
  return app;
}

/** One line per request: the route's template, never what was sent. */
const logged =
  ({ clock, ids, logger }: AuthPorts): Koa.Middleware =>
  async (context, next) => {
    const began = clock.now();
    const sent = context.get('X-Request-Id');
    const requestId = saneRequestId.test(sent) ? sent : ids.next('req');
    context.state['requestId'] = requestId;
    context.set('X-Request-Id', requestId);
    await next();
    const { route = '-', client, token = {}, limit = {} } = context.state as Noted;
    const { method, status } = context;
    const school = context.get(schoolHeader);
    const line = {
      service,
      method,
      route,
      status,
      duration_ms: clock.now() - began,
      request_id: requestId,
      school,
      ...token,
      ...limit,
    };
    logger.info(client === undefined ? line : { ...line, client });
  };

/** What the endpoint notes for the line about its request. */
interface Noted {
  readonly route?: string;
  readonly client?: string;
  readonly token?: TokenLine;
  readonly limit?: LimitLine;
}

const requestIdOf = (context: Context): string => (context.state as { requestId: string }).requestId;

async function answer(context: Context, endpoint: Endpoint, ports: AuthPorts): Promise<Reply> {
  const forProgram = endpoint.reader === 'program';
  const standing = forProgram ? anyOrigin : {};
  const allowed = endpoint.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  if (context.method === 'OPTIONS')
    return forProgram
      ? { status: 204, headers: preflightHeaders(allowed) }
      : { status: 204, headers: { Allow: [...allowed, 'OPTIONS'].join(', ') } };
  const school = ports.schools.get(context.get(schoolHeader));
  const reply = withoutKeeping(
    school
      ? await run(context, endpoint, ports, school, allowed)
      : programFailure(unknownSchool(), requestIdOf(context)),
  );
  return { ...reply, headers: { ...standing, ...reply.headers } };
}

/** The gateway knew it, so its facts are on their way here. */
const unknownSchool = () =>
  new Problem('temporarily_unavailable', 'The school is not known here yet', { headers: { 'Retry-After': '1' } });

async function run(
  context: Context,
  endpoint: Endpoint,
  ports: AuthPorts,
  school: School,
  allowed: readonly string[],
): Promise<Reply> {
  const exchange = new Exchange(context.req, school, ports, requestIdOf(context));
  const reply = await settle(exchange, endpoint, allowed);
  context.state['client'] = exchange.maybe('client')?.id;
  if (endpoint.path === oauthPaths.token) context.state['token'] = tokenLine(exchange, reply);
  context.state['limit'] = limitLine(exchange.admissions);
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
}

/** Grant types are named when they are ours, so that nobody can make up names. */
function tokenLine(exchange: Exchange, { status, body }: Reply): TokenLine {
  const asked = exchange.maybe('parameters')?.get('grant_type') ?? '';
  const grant_type = grantTypes.find((known) => known === asked) ?? 'other';
  return status < 400 ? { grant_type } : { grant_type, code: String((body as { error?: unknown }).error) };
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
  } catch (error) {
    report(exchange, endpoint, error);
    if (endpoint.reader === 'program') return programFailure(error, exchange.requestId);
    return personFailure(exchange, error, endpoint.redirectsFailures);
  }
}

function report({ ports, requestId }: Exchange, { path }: Endpoint, error: unknown): void {
  if (error instanceof PageProblem || error instanceof AuthorizationError) return;
  const problem = problemFrom(error);
  if (problem.status >= 500)
    ports.logger.error({ service, request_id: requestId, route: path, err: problem.cause }, problem.code);
}

function send(context: Context, { status, headers = {}, body, cookies = [] }: Reply): void {
  context.status = status;
  context.set({ ...headers });
  if (cookies.length > 0) context.set('Set-Cookie', [...cookies]);
  if (body === undefined) {
    context.body = null;
    context.status = status;
  } else if (typeof body === 'string') context.body = body;
  else {
    if (!headers['Content-Type']) context.set('Content-Type', 'application/json');
    context.body = JSON.stringify(body);
  }
}
