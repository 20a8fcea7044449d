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

const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The headers of an answer without those that concern the connection to the service only. @see RFC 9110 §7.6.1 */
export function passedOn(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const nominated = String(headers['connection'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const dropped = new Set([...hopByHop, ...nominated, serviceTokenHeader]);
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !dropped.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}
