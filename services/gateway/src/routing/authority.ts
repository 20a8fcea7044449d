/** A host and port as a request or a URL names them. `port` is empty where the scheme's default is meant. */
export interface Authority {
  /** Lower case, no trailing dot; IPv6 in brackets and in its shortest form. */
  readonly host: string;
  readonly port: string;
}

const name = /^((?:[a-z0-9_-]+\.)*[a-z0-9_-]+)\.?(?::(\d*))?$/;
const ipv6 = /^(\[[0-9a-f:.]+\])(?::(\d*))?$/;

/**
 * Reads `host[:port]` in any spelling: case, one trailing dot, an empty port and leading zeros do not matter.
 * Undefined when it is not a host; no list, no userinfo, no port above 65535.
 * @see RFC 9110 §4.2.3, RFC 3986 §6.2.2.1
 */
export function parseAuthority(text: string): Authority | undefined {
  if (text.length > 261) return undefined;
  const match = name.exec(text.toLowerCase()) ?? ipv6.exec(text.toLowerCase());
  const host = match?.[1] && shortest(match[1]);
  if (!host) return undefined;
  const port = match[2] ? Number(match[2]) : undefined;
  if (port !== undefined && port > 65_535) return undefined;
  return { host, port: port === undefined ? '' : String(port) };
}

/** `[0:0:0:0:0:0:0:1]` is `[::1]`; names stay as they are. */
function shortest(host: string): string | undefined {
  if (!host.startsWith('[')) return host;
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** The form under which the table of hosts knows an authority, e.g. `school.example` or `127.0.0.1:8080`. */
export const keyOf = ({ host, port }: Authority): string => (port === '' ? host : `${host}:${port}`);
