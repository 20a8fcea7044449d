/** Characters of RFC 3986 path and query, less the wildcard `*`; a percent sign needs its two digits. */
const character = String.raw`[A-Za-z0-9\-._~!$&'()+,;=:@/]|%[0-9A-Fa-f]{2}`;

const loopback = new RegExp(
  String.raw`^(http://(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9][0-9]{0,4}))?((?:/(?:${character})*)?(?:\?(?:${character}|\?)*)?)$`,
);

const longest = 2048;

interface Loopback {
  readonly origin: string;
  readonly rest: string;
}

/**
 * Reads the raw text, as it was sent: a URL parser would first turn `http://127.1`, `http://0x7f.1` or `http://2130706433`
 * into 127.0.0.1 and so let other spellings in.
 */
function readLoopback(uri: string): Loopback | undefined {
  const found = uri.length <= longest ? loopback.exec(uri) : null;
  if (!found || Number(found[2] ?? 80) > 65_535) return undefined;
  return { origin: found[1]!, rest: found[3] ?? '' };
}

/**
 * Whether a URI is a loopback address that anyone may register: `http` to 127.0.0.1, [::1] or localhost, with or without
 * a port, without userinfo, fragment or wildcard.
 * @see RFC 8252 §7.3, RFC 9700 §2.1
 */
export const isLoopbackRedirect = (uri: string): boolean => readLoopback(uri) !== undefined;

/**
 * Whether the URI of a request is one that the client registered: the same text, except that a loopback address may
 * name any port. Host names are not interchangeable.
 * @see RFC 6749 §3.1.2.3, RFC 8252 §7.3, RFC 9700 §4.1.3
 */
export function matchesRedirect(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const target = readLoopback(asked);
  if (!target) return false;
  return registered.some((each) => {
    const known = readLoopback(each);
    return known !== undefined && known.origin === target.origin && known.rest === target.rest;
  });
}

/**
 * Adds parameters to a redirect URI and keeps the query it has.
 * @see RFC 6749 §3.1.2
 */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const added = new URLSearchParams(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const separator = !uri.includes('?') ? '?' : uri.endsWith('?') || uri.endsWith('&') ? '' : '&';
  return `${uri}${separator}${added.toString()}`;
}

/** Host and port of a redirect URI, as a person should see it. */
export const redirectHost = (uri: string): string => /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1] ?? uri;
