import { forEachHeader } from '@lyceum/web';
import type { IncomingHttpHeaders } from 'node:http';
import { serviceTokenHeader } from '@lyceum/internal-api';

/** Headers that concern the connection to the service, and the token by which services know each other. */
const dropped = new Set([
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
 * The headers of a response that are passed on: name in lower case, value, name, value. Left out is what concerns the
 * connection, with the headers that Connection names.
 * @see RFC 9110 §7.6.1
 */
export function responseHeaders(received: IncomingHttpHeaders): string[] {
  const named = namedBy(received.connection);
  const list: string[] = [];
  for (const name in received) {
    if (dropped.has(name) || named.includes(name)) continue;
    const value = received[name]!;
    if (typeof value === 'string') list.push(name, value);
    else for (const each of value) list.push(name, each);
  }
  return list;
}

const none: readonly string[] = [];

function namedBy(connection: string | string[] | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive') return none;
  return String(connection)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}

/** Adds headers that a list does not have yet. Both: name in lower case, value, name, value. */
export function withDefaults(headers: string[], defaults: readonly string[]): string[] {
  const { length } = headers;
  forEachHeader(defaults, (name, value) => {
    if (!hasHeader(headers, length, name)) headers.push(name, value);
  });
  return headers;
}

function hasHeader(headers: readonly string[], length: number, name: string): boolean {
  for (let index = 0; index < length; index += 2) if (headers[index] === name) return true;
  return false;
}
