import { BoundedMap } from '@lyceum/kernel';
import { type Authority, parseAuthority } from '../../routing/authority.ts';

/** What a request line asks for. */
export interface Target {
  /** Path as sent, without the query. */
  readonly path: string;
  /** Path and query as sent, never absolute. */
  readonly url: string;
  /** The authority of an absolute-form target, which goes before the Host header. */
  readonly authority: string | undefined;
}

/** The longest request target that is read, in characters. RFC 9110 §4.1 asks for at least 8000. */
export const longestTarget = 8192;

const absolute = /^https?:\/\/([^/?#]*)(.*)/is;
const odd = /[\\#\s]|[^\x21-\x7e]/;
const climbing = /(?:^|\/|%2f|%5c)(?:\.|%2e){1,2}(?:\/|%2f|%5c|$)/i;

/**
 * Reads a request target, or says in one sentence what is wrong with it. Dot segments are refused instead of resolved:
 * two readers of one path must not disagree about where it leads.
 * @see RFC 9112 §3.2
 */
export function parseTarget(target: string): Target | string {
  const [, authority, rest = target] = (target.startsWith('/') ? null : absolute.exec(target)) ?? [];
  const url = authority !== undefined && !rest.startsWith('/') ? `/${rest}` : rest;
  if (!url.startsWith('/')) return 'The request target must be a path';
  if (odd.test(url)) return 'The URL contains a character that is not allowed';
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (climbing.test(path)) return 'The path must not contain dot segments';
  return { path, url, authority };
}

/** The authority that a request is for: of its target, else of its one Host header. A sentence when there is none. */
export function authorityOf(target: Target, host: string | undefined): Authority | string {
  const named = target.authority ?? host;
  if (!named) return 'The request names no host';
  return remembered(named) ?? 'The Host header is not a host name';
}

const known = new BoundedMap<string, Authority>(1_000);

/** Clients name the same few hosts again and again: those that were named last are kept as they were read. */
function remembered(named: string): Authority | undefined {
  const before = known.get(named);
  if (before) return before;
  const read = parseAuthority(named);
  if (!read) return undefined;
  known.set(named, read);
  return read;
}
