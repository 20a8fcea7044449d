import { forEachHeader } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import { byHeaderName } from '../../http/header-name-cache.ts';

/** What is wrong with a request before anybody asks what it wants. */
export interface Fault {
  readonly code: 'invalid_request' | 'method_not_allowed';
  readonly description: string;
}

/** Methods that some resource of a school may answer. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const knownMethods: ReadonlySet<string> = new Set(methods);

/** Headers that must not come twice: Node keeps the first, another reader might keep the last. */
const single = ['host', 'content-length', 'transfer-encoding', 'content-type', 'authorization'];
const [lengthBit, codingBit] = [1 << single.indexOf('content-length'), 1 << single.indexOf('transfer-encoding')];

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

/** What a header means to hygiene. */
const traitsOf = byHeaderName((name) => ({
  name,
  /** Its place among those that must not come twice, as a bit; 0 where it may. */
  single: single.includes(name) ? 1 << single.indexOf(name) : 0,
  /** Whether it ends here, whoever sends it. */
  ends: hopByHop.has(name) || isForeign(name),
}));

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
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const { single: bit } = traitsOf(name);
    if ((seen & bit) !== 0)
      return { code: 'invalid_request', description: `The ${canonicalName(name)} header comes twice` };
    seen |= bit;
  }
  if ((seen & lengthBit) !== 0 && (seen & codingBit) !== 0)
    return { code: 'invalid_request', description: 'Content-Length and Transfer-Encoding exclude each other' };
  if ((seen & codingBit) !== 0 && headers['transfer-encoding']?.toLowerCase() !== 'chunked')
    return { code: 'invalid_request', description: 'The only transfer coding understood is chunked' };
  if (headers.upgrade?.toLowerCase().includes('websocket'))
    return { code: 'invalid_request', description: 'There are no WebSockets here' };
  return undefined;
}

/** `content-type` as it is usually written: Content-Type. */
const canonicalName = (name: string): string =>
  name.toLowerCase().replace(/(?:^|-)[a-z]/g, (beginning) => beginning.toUpperCase());

/**
 * Removes headers that a client may not set, that concern its connection only, and one that is `unwanted`, and adds those
 * that services trust: name in lower case, value, name, value. Both `headers` and `rawHeaders` are changed.
 * @see RFC 9110 §7.6.1
 */
export function sanitizeHeaders(request: IncomingMessage, trusted: readonly string[], unwanted?: string): void {
  const { headers, rawHeaders } = request;
  const named = nominated(headers.connection);
  const kept: string[] = [];
  forEachHeader(rawHeaders, (sent, value) => {
    const { name, ends } = traitsOf(sent);
    if (ends || name === unwanted || isNamed(trusted, name) || named.includes(name)) delete headers[name];
    else kept.push(sent, value);
  });
  forEachHeader(trusted, (name, value) => {
    headers[name] = value;
    kept.push(name, value);
  });
  request.rawHeaders = kept;
}

function isNamed(list: readonly string[], name: string): boolean {
  for (let index = 0; index < list.length; index += 2) if (list[index] === name) return true;
  return false;
}

const none: readonly string[] = [];

/** The headers that a Connection header names as its own. */
function nominated(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none;
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !framing.has(name));
}
