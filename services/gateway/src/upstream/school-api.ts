import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clientAddressHeader, schoolHeader, tokenPathHeader } from '@lyceum/contracts';
import type { UpstreamClient } from '@lyceum/internal-api';
import type { Ids } from '@lyceum/kernel';
import { serviceOf } from '../routing/service-of-path.ts';
import type { School } from '../routing/school.ts';
import type { Caller } from '../mcp/server/caller.ts';

/** Reads a path of a school's API as anybody may; rejects unless it answers 200. */
export type ReadApi = (path: string, query: Readonly<Record<string, string>>) => Promise<unknown>;

/** A JSON object in a response; the service's OpenAPI document describes it. */
export type Json = Readonly<Record<string, unknown>>;

/** The response of a service. */
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

/** A service by name; throws when there is none of that name. */
export type ClientOf = (service: string) => UpstreamClient;

/** The operations of the school, called with the caller's token, or anonymously. */
export type Api = (path: string, request?: ApiRequest) => Promise<ApiReply>;

/**
 * The API as one caller sees it. Each request passes all checks of the service; the path at which the token was shown
 * travels along, since the token may be good for the MCP server only. Paths that no service owns yet, and services that are
 * not there, answer 404 and 503 like over the wire. What the scopes of a token do not cover is read anonymously: signing in
 * takes nothing away.
 */
export function apiOf(clientOf: ClientOf, caller: Caller): Api {
  const call = callingAs(clientOf, caller);
  if (caller.token === undefined) return call;
  const callAnonymously = callingAs(clientOf, { ...caller, token: undefined });
  return async (path, request = {}) => {
    const reply = await call(path, request);
    const isRead = (request.method ?? 'GET') === 'GET';
    if (!isRead || reply.status !== 403 || reply.body['error'] !== 'insufficient_scope') return reply;
    const open = await callAnonymously(path, request);
    return open.status < 400 ? open : reply;
  };
}

/**
 * The same for a batch: each call begins in a turn of the event loop of its own, after the call before it was answered, so
 * that a request that needs twenty calls keeps the event loop no longer than others.
 */
export function oneByOne(api: Api): Api {
  let last: Promise<unknown> = Promise.resolve();
  return (path, request) => {
    const reply = last.then(() => nextTurn()).then(() => api(path, request));
    last = reply.catch(() => undefined);
    return reply;
  };
}

/** Whoever looks at a page of a school without being known: the API counts by the address of the browser. */
export const unknownCaller = (
  { headers }: IncomingMessage,
  { school, requestId, path }: Pick<Caller, 'school' | 'requestId' | 'path'>,
): Caller => ({
  school,
  principal: undefined,
  token: undefined,
  authority: headers.host ?? '',
  address: String(headers[clientAddressHeader] ?? ''),
  requestId,
  path,
});

/** The operations of a school, called without a token. */
export const publicApiOf =
  (clientOf: ClientOf, ids: Pick<Ids, 'next'>) =>
  (school: School): Api => {
    const { host } = new URL(school.baseUrl);
    const caller = { school, principal: undefined, token: undefined, authority: host, address: '127.0.0.1', path: '' };
    return apiOf(clientOf, { ...caller, requestId: ids.next('req') });
  };

/** Reads the API of a school without a token. */
export const publicReader = (clientOf: ClientOf, ids: Pick<Ids, 'next'>) => {
  const open = publicApiOf(clientOf, ids);
  return (school: School): ReadApi => {
    const api = open(school);
    return async (path, query) => {
      const { status, body } = await api(path, { query });
      if (status !== 200) throw new Error(`${path} answers ${status}`);
      return body;
    };
  };
};

function callingAs(clientOf: ClientOf, caller: Caller): Api {
  const own = headersOf(caller);
  return async (path, { method = 'GET', query, json, headers } = {}) => {
    const service = serviceOf(path);
    if (service === undefined) return absent(404);
    const sent = headers ? { ...own, ...headers } : own;
    try {
      const client = clientOf(service);
      const response = await client.ask({ method, path, querystring: queryOf(query), headers: sent, json });
      return {
        status: response.status,
        body: (response.body ?? {}) as Json,
        header: (name) => response.headers[name],
      };
    } catch {
      // The client has reported the failure.
      return absent(503);
    }
  };
}

const absent = (status: number): ApiReply => ({ status, body: {}, header: () => undefined });

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
