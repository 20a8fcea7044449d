import { setImmediate as nextTurn } from 'node:timers/promises';
import { clientAddressHeader, schoolHeader, tokenPathHeader } from '@lyceum/contracts';
import type { Upstream } from '@lyceum/internal-api';
import type { InnerAnswer } from '@lyceum/web';
import { serviceOf } from '../routing/service-of-path.ts';
import type { Caller } from '../mcp/server/caller.ts';
import { overHttp } from './inner-http.ts';

/** A JSON object that a service said; what is in it, its OpenAPI document tells. */
export type Json = Readonly<Record<string, unknown>>;

/** What a service answered. */
export interface ApiReply {
  readonly status: number;
  readonly body: Json;
  readonly header: (name: string) => string | undefined;
}

/** One request to an operation of the school's API. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The way to a service. */
export type ServiceClient = Pick<Upstream, 'forward' | 'ask'>;

/** The operations of the school, asked as the caller: with the caller's token, or as nobody. */
export type Api = (path: string, request?: ApiRequest) => Promise<ApiReply>;

/**
 * The API as one caller sees it. The request goes through the service's own door, with all its checks; the path at which
 * the token was shown travels along, since it may be good for the MCP server only. Paths that no service owns yet, and
 * services that are not there, answer 404 and 503 like over the wire. What a token does not open is read as anybody reads it:
 * nobody sees less for being signed in.
 */
export function apiOf(upstream: (service: string) => ServiceClient, caller: Caller): Api {
  const ask = asking(upstream, caller);
  if (caller.token === undefined) return ask;
  const askAnonymously = asking(upstream, { ...caller, token: undefined });
  return async (path, request = {}) => {
    const reply = await ask(path, request);
    const isRead = (request.method ?? 'GET') === 'GET';
    if (!isRead || reply.status !== 403 || reply.body['error'] !== 'insufficient_scope') return reply;
    const open = await askAnonymously(path, request);
    return open.status < 400 ? open : reply;
  };
}

/**
 * The same for a batch: each question is asked in a turn of the event loop of its own, after the one before was answered,
 * so that a request that asks for twenty things at once is no longer than others.
 */
export function oneByOne(api: Api): Api {
  let last: Promise<unknown> = Promise.resolve();
  return (path, request) => {
    const reply = last.then(() => nextTurn()).then(() => api(path, request));
    last = reply.catch(() => undefined);
    return reply;
  };
}

function asking(upstream: (service: string) => ServiceClient, caller: Caller): Api {
  const own = headersOf(caller);
  return async (path, request = {}) => {
    const service = serviceOf(path);
    if (service === undefined) return absent(404);
    let door: ServiceClient;
    try {
      door = upstream(service);
    } catch {
      return absent(503);
    }
    const { method = 'GET', query, json, headers } = request;
    const sent = headers ? { ...own, ...headers } : own;
    // A service that breaks down has been reported by its door.
    try {
      const question = { path, querystring: queryOf(query), headers: sent };
      const told = method === 'GET' ? await door.ask?.(question) : undefined;
      return replyOf(told ?? (await overHttp(door, method, question, json)));
    } catch {
      return absent(503);
    }
  };
}

const absent = (status: number): ApiReply => ({ status, body: {}, header: () => undefined });

const replyOf = ({ status, body, headers }: InnerAnswer): ApiReply => ({
  status,
  body: (body ?? {}) as Json,
  header: (name) => headers[name],
});

function headersOf({ authority, school, address, requestId, token, path }: Caller): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {
    host: authority,
    accept: 'application/json',
    [schoolHeader]: school.id,
    [clientAddressHeader]: address,
    'x-request-id': requestId,
  };
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token}`, [tokenPathHeader]: path };
}

function queryOf(query: ApiRequest['query']): string {
  if (!query) return '';
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.toString();
}
