import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { serviceTokenHeader } from '@lyceum/runtime';

/** A request as it goes on to a service. */
export interface OutgoingMessage {
  readonly method: string;
  readonly path: string;
  /** Name, value, name, value. */
  readonly headers: string[];
  /** Nothing of it is read before a connection stands. */
  readonly body: Readable | null;
}

/** The connection to the service is ours: its framing and its manners are chosen anew. */
const ownToEachConnection = new Set([
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/** Methods whose body means nothing. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The client ended before its request did. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/**
 * Makes the message for a service of a sanitised request. The body is passed on as it comes, as fast as the service
 * takes it; it ends with `ClientGone` when the client goes away in the middle.
 */
export function outgoing(request: IncomingMessage, token: string): OutgoingMessage {
  const { method = 'GET', url: path = '/', headers, rawHeaders } = request;
  const hasBody =
    !bodiless.has(method) && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
  const passed: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (ownToEachConnection.has(name) || (name === 'content-length' && !hasBody)) continue;
    passed.push(rawHeaders[index]!, rawHeaders[index + 1]!);
  }
  passed.push(serviceTokenHeader, token);
  return { method, path, headers: passed, body: hasBody ? bodyOf(request) : null };
}

/** A stream of its own, so that an upstream that fails ends the copy and not the client's connection. */
function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough();
  // Whoever reads it hears of the failure; before that nobody does.
  body.on('error', () => undefined);
  request.once('close', () => {
    if (!request.complete) body.destroy(new ClientGone('the client went away'));
  });
  return request.pipe(body);
}

const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  serviceTokenHeader,
]);

/**
 * The headers of an answer, name, value, name, value: those that stand unless the service gives its own, and those of the
 * service without what concerns the connection to it only.
 * @see RFC 9110 §7.6.1
 */
export function passedOn(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  standing: Readonly<Record<string, string>>,
): string[] {
  const passed: string[] = [];
  for (const name in standing) if (headers[name.toLowerCase()] === undefined) passed.push(name, standing[name]!);
  const named = nominated(headers['connection']);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || ofConnection.has(name) || named?.includes(name)) continue;
    if (typeof value === 'string') passed.push(name, value);
    else for (const each of value) passed.push(name, each);
  }
  return passed;
}

/** The headers that a Connection header names as its own; usually it names none. */
function nominated(connection: string | string[] | undefined): readonly string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return String(connection)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}
