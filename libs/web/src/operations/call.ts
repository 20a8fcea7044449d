import { clientAddressHeader } from '@lyceum/contracts';
import { type Meta, isoTime } from '@lyceum/kernel';
import { type Access, mayExpand } from './access.ts';
import { type AskedSchool, type Exchange, wired } from '../http/exchange.ts';
import { commitOf, idempotencyKey } from '../requests/idempotency.ts';
import type { Call, Ports } from './operation.ts';
import { type TokenScope, seenOf } from '../requests/consistency-token.ts';
import { preferredWait } from '../requests/preferred-wait.ts';
import type { CursorCodec } from '../lists/cursor-codec.ts';
import { askedIn } from '../lists/selection.ts';
import { parseBody, parseParams } from '../requests/parse.ts';
import { expectedVersions } from '../requests/precondition.ts';
import type { Prepared } from './prepared.ts';
import { Problem } from '../replies/problem.ts';
import { parseJson, readBody } from '../requests/request-body.ts';

/** A call, and whether it carried a key that makes its repetition safe. */
export interface Received {
  readonly call: Call;
  readonly keyed: boolean;
  /** What a cursor of this list is bound to. */
  readonly bound: string;
}

/** What reading a request needs beside the request. */
export interface Reading {
  /** Name of the service. */
  readonly service: string;
  readonly ports: Ports;
  readonly cursors: CursorCodec | undefined;
  readonly bodyLimit: number;
}

/** The log that the Consistency-Tokens of a service are of. */
export const tokenScope = ({ cursors, service, ports }: Reading): TokenScope => ({
  cursors,
  service,
  epoch: ports.log.epoch,
});

/** Parses the admitted request: params (`given` in the path), query, body, If-Match, Idempotency-Key, in this order. */
export async function receive(
  context: Exchange,
  prepared: Prepared,
  given: Readonly<Record<string, string>>,
  { principal, view }: Access,
  asked: AskedSchool,
  reading: Reading,
): Promise<Received> {
  const { ports, cursors, bodyLimit } = reading;
  const { operation } = prepared;
  const { requestId } = context.state;
  const school = asked.id;
  const params = parseParams(prepared.params, given);
  const { values, query } = prepared.queries.read(context.querystring);
  mayExpand(principal, operation, query, asked);
  const safe = operation.method === 'GET';
  const arrives = operation.takes !== undefined && wired(context).is(operation.takes) === operation.takes;
  if (operation.takes !== undefined && !arrives && !operation.body)
    throw new Problem('unsupported_media_type', `The body must be ${operation.takes}`);
  const text = safe || arrives ? '' : await readBody(context, operation.bodyLimit ?? bodyLimit);
  const body = arrives ? undefined : bodyOf(prepared, text);
  const expected = expectedVersions(context.get('If-Match'), operation.ifMatch);
  const key = safe ? undefined : idempotencyKey(context.get('Idempotency-Key'));
  if (key === undefined && operation.idempotencyKey === 'required')
    throw new Problem('invalid_request', 'This needs an Idempotency-Key: a repetition then does nothing twice');
  const scope = {
    school,
    client: principal?.client ?? '',
    subject: principal?.subject ?? '',
    address: principal || context.path.startsWith('/internal/') ? undefined : context.get(clientAddressHeader),
    operation: operation.id,
    method: operation.method,
    path: context.path,
  };
  const bound = prepared.lists ? boundTo(school, operation.id, view, values) : '';
  const plain = {
    school,
    issuer: asked.issuer,
    principal,
    view,
    params,
    query,
    body,
    at: isoTime(ports.clock.now()),
    meta: metaOf(context, principal, requestId),
    commit: commitOf(key, scope, text, ports.ids),
    expected,
    page: pageOf(query, cursors, bound),
    seen: seenOf(context.get('Consistency-Token'), context.get('Prefer'), tokenScope(reading), school),
    requestId,
    address: context.get(clientAddressHeader),
    headers: ownHeaders(context, operation),
  } as Call;
  const isPlain = operation.takes === undefined && operation.streams === undefined;
  const incoming = arrives ? { incoming: wired(context).req } : {};
  const call = isPlain ? plain : { ...plain, ...incoming, ...listeningOf(context, operation) };
  return { call, keyed: key !== undefined, bound };
}

const wantsStream = (context: Exchange, { streams }: Prepared['operation']): boolean =>
  streams !== undefined && context.accepts('application/json', streams) === streams;

/** How the caller of an operation that streams would listen: for as long as it takes, or for a while. */
function listeningOf(context: Exchange, operation: Prepared['operation']): Pick<Call, 'streaming' | 'waiting'> {
  if (operation.streams === undefined) return {};
  const gone = new AbortController();
  wired(context).res.once('close', () => gone.abort());
  const listener = { address: context.get(clientAddressHeader), gone: gone.signal };
  if (wantsStream(context, operation))
    return { streaming: { ...listener, lastEventId: context.get('Last-Event-ID') || undefined } };
  return { waiting: { ...listener, wait: preferredWait(context.get('Prefer'), longestPoll) } };
}

function bodyOf({ body: schema }: Prepared, text: string): unknown {
  const value = parseJson(text);
  if (schema) {
    if (value === undefined && !schema.safeParse(undefined).success)
      throw new Problem('invalid_request', 'This needs a JSON body');
    return parseBody(schema, value);
  }
  const empty = value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  if (!empty) throw new Problem('invalid_request', 'This takes no body');
  return undefined;
}

function boundTo(school: string, operation: string, view: string, values: Readonly<Record<string, string>>): string {
  const filters = Object.entries(values).filter(([name]) => name !== 'cursor' && name !== 'limit');
  return JSON.stringify([school, operation, view, filters.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function pageOf(query: unknown, cursors: CursorCodec | undefined, bound: string): Call['page'] {
  const { limit = 20, cursor } = askedIn(query);
  return cursor !== undefined && cursors ? { limit, after: cursors.open(cursor, bound) } : { limit };
}

const none: Call['headers'] = {};

/** The headers that the operation declares and the request has. */
function ownHeaders(context: Exchange, { headers }: Prepared['operation']): Call['headers'] {
  if (!headers) return none;
  return Object.fromEntries(
    Object.keys(headers).flatMap((name) => (context.get(name) ? [[name, context.get(name)]] : [])),
  );
}

const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function metaOf(context: Exchange, principal: Access['principal'], requestId: string): Meta {
  const trace = context.state.span?.traceparent ?? context.get('traceparent');
  const meta: { -readonly [Name in keyof Meta]: Meta[Name] } = {
    actor: principal?.subject ?? 'anonymous',
    correlation: requestId,
  };
  if (principal) meta.client = principal.client;
  if (traceparent.test(trace)) meta.traceparent = trace;
  return meta;
}

/** Nobody waits longer than this for news. Seconds. */
const longestPoll = 30;
