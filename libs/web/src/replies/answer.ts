import { Readable } from 'node:stream';
import { type Exchange, wired } from '../http/exchange.ts';
import type { Call, Reply } from '../operations/operation.ts';
import { type TokenScope, tokenOf } from '../requests/consistency-token.ts';
import { isImmutable, jsonOf } from './immutable.ts';
import type { CursorCodec } from '../lists/cursor-codec.ts';
import { alreadyHas, etagOf } from '../requests/precondition.ts';
import type { Prepared } from '../operations/prepared.ts';
import { withView } from './reply-filter.ts';
import { askedIn, selected } from '../lists/selection.ts';

/** Writes a reply: filtered by the view, with its validators, or 304 when the client has that version. */
export function answer(
  context: Exchange,
  prepared: Prepared,
  reply: Reply,
  call: Shown,
  nextCursor: string | null,
  scope: TokenScope,
): void {
  if (reply.pieces) return stream(context, prepared, reply, reply.pieces);
  if (reply.text !== undefined) return inOtherType(context, prepared, reply, reply.text);
  const body = bodyOf(prepared, reply, call, nextCursor);
  // The version is that of the thing, and what is expanded in it changes by itself.
  const version = isExpanded(call) ? undefined : reply.version;
  context.set('cache-control', 'private, no-store');
  // Where no tag names its bytes, the edge may send an answer in a coding. @see RFC 9110 §12.5.5
  context.set('vary', version === undefined ? 'Authorization, Accept-Encoding' : 'Authorization');
  const token = reply.observed && tokenOf(scope, call.school, reply.observed);
  if (token !== undefined) context.set('consistency-token', token);
  if (nextCursor !== null) context.set('link', `<${nextUrl(context, nextCursor)}>; rel="next"`);
  if (reply.headers) context.set({ ...reply.headers });
  // What moved is asked for there as it was here.
  if (reply.status === 308) context.set('location', `${reply.headers!['Location']!}${context.search}`);
  const fresh = version !== undefined && reply.fleeting !== true && isFresh(context, prepared, version);
  if (version !== undefined) context.set('etag', etagOf(version));
  if (fresh || body === undefined) {
    context.body = null;
    context.status = fresh ? 304 : (reply.status ?? prepared.operation.status);
    return;
  }
  context.set('content-type', prepared.operation.gives ?? 'application/json');
  context.status = reply.status ?? prepared.operation.status;
  if (prepared.operation.gives !== undefined) context.body = textOf(context, body);
  else context.body = context.isLocal ? body : jsonOf(body);
}

/** Begins a stream that no proxy may hold back. */
function stream(context: Exchange, { operation }: Prepared, reply: Reply, pieces: AsyncIterable<string>): void {
  context.set('cache-control', 'private, no-store, no-transform');
  context.set('vary', 'Authorization, Accept');
  context.set('x-accel-buffering', 'no');
  context.set('content-type', operation.streams!);
  context.status = reply.status ?? operation.status;
  context.body = textOf(context, pieces);
}

/** A success in the media type that the operation has beside JSON. */
function inOtherType(context: Exchange, { operation }: Prepared, reply: Reply, text: string): void {
  context.set('cache-control', 'private, no-store');
  context.set('vary', 'Authorization, Accept-Encoding');
  if (reply.headers) context.set({ ...reply.headers });
  context.set('content-type', operation.alsoGives!);
  context.status = reply.status ?? operation.status;
  context.body = text;
}

const textOf = (context: Exchange, body: unknown): string | Readable =>
  typeof body === 'string' ? body : breakingOff(context, Readable.from(body as AsyncIterable<string>));

/** A stream as a body: one that breaks off in the middle ends the connection, so that nobody takes it for the whole. */
export const breakingOff = (context: Exchange, stream: Readable): Readable =>
  stream.once('error', () => wired(context).res.destroy());

const isFresh = (context: Exchange, { operation }: Prepared, version: number): boolean =>
  operation.method === 'GET' && alreadyHas(context.get('If-None-Match'), version);

type Shown = Pick<Call, 'view' | 'query' | 'school'>;

const isExpanded = ({ query }: Shown): boolean => askedIn(query).expand !== undefined;

function bodyOf(prepared: Prepared, reply: Reply, call: Shown, nextCursor: string | null): unknown {
  if (reply.body === undefined || prepared.operation.gives !== undefined) return reply.body;
  const isWhole = !prepared.lists || (nextCursor === null && isImmutable(reply.body));
  const given = isWhole ? reply.body : { ...(reply.body as object), next_cursor: nextCursor };
  const { view, query } = call;
  const filter = (isExpanded(call) ? prepared.expanded : prepared.reply)?.[view];
  const shown = filter ? filter(given) : prepared.showsView ? withView(given, view) : given;
  return selected(shown, query, prepared.lists);
}

/** Relative to the request, so it is right behind any gateway. @see RFC 8288 §3 */
function nextUrl(context: Exchange, cursor: string): string {
  const query = new URLSearchParams(context.querystring);
  query.set('cursor', cursor);
  return `${context.path}?${query.toString()}`;
}

/** The cursor of the page after this one; null on the last. */
export function nextCursorOf(reply: Reply, cursors: CursorCodec | undefined, bound: string): string | null {
  return reply.next && cursors ? cursors.seal(reply.next, bound) : null;
}
