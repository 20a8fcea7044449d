import type { IncomingMessage } from 'node:http';

/** What is wrong with a request before anybody asks what it wants. */
export interface Fault {
  readonly code: 'invalid_request' | 'method_not_allowed';
  readonly description: string;
}

/** Methods that some resource of a school may answer. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const knownMethods: ReadonlySet<string> = new Set(methods);

/** Headers that must not come twice: Node keeps the first, another reader might keep the last. */
const single = new Map([
  ['host', 'The Host header comes twice'],
  ['content-length', 'The Content-Length header comes twice'],
  ['transfer-encoding', 'The Transfer-Encoding header comes twice'],
  ['content-type', 'The Content-Type header comes twice'],
  ['authorization', 'The Authorization header comes twice'],
]);

/** Headers by which proxies in front of us would speak, and our own: nobody outside may set them. */
const foreign =
  /^(?:x-school(?:-.*)?|x-service(?:-.*)?|x-client-address|x-forwarded(?:-.*)?|forwarded|x-real-ip|x-original-.*|x-rewrite-.*)$/;

const isForeign = (name: string): boolean =>
  (name.startsWith('x') || name.startsWith('f')) && foreign.test(name.replaceAll('_', '-'));

/** Headers about this connection only. `h2c` offers are thereby ignored, as RFC 9110 §7.8 allows. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'upgrade',
  'http2-settings',
]);

/** Never removed, whatever Connection says: they frame the message. */
const framing = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * Whether the request may be read at all. Node refuses most bad framing before us; this does not rely on it.
 * @see RFC 9112 §3.2, §6.1, §6.3, RFC 9110 §5.3, §9.3.8
 */
export function faultOf(request: IncomingMessage): Fault | undefined {
  const { method, headers, rawHeaders } = request;
  if (!knownMethods.has(method!))
    return { code: 'method_not_allowed', description: 'The server does not know this method' };
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    const twice = single.get(name);
    if (twice === undefined) continue;
    if (seen.has(name)) return { code: 'invalid_request', description: twice };
    seen.add(name);
  }
  if (seen.has('content-length') && seen.has('transfer-encoding'))
    return { code: 'invalid_request', description: 'Content-Length and Transfer-Encoding exclude each other' };
  if (seen.has('transfer-encoding') && headers['transfer-encoding']?.toLowerCase() !== 'chunked')
    return { code: 'invalid_request', description: 'The only transfer coding understood is chunked' };
  if (headers.upgrade?.toLowerCase().includes('websocket'))
    return { code: 'invalid_request', description: 'There are no WebSockets here' };
  return undefined;
}

/**
 * Removes what only we may say, what concerns this connection only and what else is `unwanted`, and adds our own headers.
 * Afterwards `headers` and `rawHeaders` tell the same, and `headersDistinct` does once it is aligned.
 * @see RFC 9110 §7.6.1
 */
export function sanitise(
  request: IncomingMessage,
  ours: Readonly<Record<string, string>>,
  unwanted: readonly string[] = [],
): void {
  const { headers, rawHeaders } = request;
  const named = nominated(headers.connection);
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [raw, value] = [rawHeaders[index]!, rawHeaders[index + 1]!];
    const name = raw.toLowerCase();
    if (
      hopByHop.has(name) ||
      Object.hasOwn(ours, name) ||
      named.includes(name) ||
      unwanted.includes(name) ||
      isForeign(name)
    ) {
      delete headers[name];
      continue;
    }
    kept.push(raw, value);
  }
  for (const name in ours) {
    const value = ours[name]!;
    kept.push(name, value);
    headers[name] = value;
  }
  request.rawHeaders = kept;
}

/**
 * Makes `headersDistinct` tell what `rawHeaders` tells, for a service that may read it. Node would build it by the number
 * of headers that were received.
 */
export function alignDistinct(request: IncomingMessage): void {
  const { rawHeaders } = request;
  const distinct = Object.create(null) as NodeJS.Dict<string[]>;
  for (let index = 0; index < rawHeaders.length; index += 2)
    (distinct[rawHeaders[index]!.toLowerCase()] ??= []).push(rawHeaders[index + 1]!);
  request.headersDistinct = distinct;
}

/** The headers that a Connection header names as its own. */
function nominated(connection: string | undefined): readonly string[] {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !framing.has(name));
}
