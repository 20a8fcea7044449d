import type { IncomingMessage } from 'node:http';

const secretForm = /^[\w-]{43}$/;

/** A cookie that only pages of the school's own address use. Off loopback its name makes browsers refuse one that a neighbouring host set. */
export interface Cookie {
  readonly name: string;
  readonly secure: boolean;
}

const isSecure = (issuer: string): boolean => issuer.startsWith('https:');

/** The cookie of a name at an issuer. */
export const cookieAt = (issuer: string, name: string): Cookie => ({
  name: isSecure(issuer) ? `__Host-lyceum_${name}` : `lyceum_${name}`,
  secure: isSecure(issuer),
});

/** The cookie of a signed-in session: the authorization server gives and ends it. */
export const sessionCookie = (issuer: string): Cookie => cookieAt(issuer, 'session');

/** Name and value of each cookie that a browser sent. */
export function* sentCookies({ headers }: Pick<IncomingMessage, 'headers'>): Generator<readonly [string, string]> {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at >= 0) yield [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  }
}

/** The value that a browser sent; undefined when it is absent or cannot be one of ours: 32 bytes in base64url. */
export function readCookie(request: Pick<IncomingMessage, 'headers'>, { name }: Cookie): string | undefined {
  for (const [sent, value] of sentCookies(request)) if (sent === name && secretForm.test(value)) return value;
  return undefined;
}

/** The `Set-Cookie` line for a value. Without `maxAge` (seconds) it ends with the browser. */
export function cookieLine({ name, secure }: Cookie, value: string, maxAge?: number): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  if (maxAge !== undefined) attributes.push(`Max-Age=${maxAge}`);
  return [`${name}=${value}`, ...attributes].join('; ');
}
