import type { IncomingMessage } from 'node:http';

const secretForm = /^[\w-]{43}$/;

/** A cookie that only our pages use. Off loopback its name makes browsers refuse one that a neighbouring host set. */
export interface Cookie {
  readonly name: string;
  readonly secure: boolean;
}

const isSecure = (issuer: string): boolean => issuer.startsWith('https:');

const cookie = (name: string, issuer: string): Cookie => ({
  name: isSecure(issuer) ? `__Host-lyceum_${name}` : `lyceum_${name}`,
  secure: isSecure(issuer),
});

/** Identifies one browser before a person signs in, so that a form can be bound to it. */
export const browserCookie = (issuer: string): Cookie => cookie('visit', issuer);

/** The cookie of a signed-in session. */
export const sessionCookie = (issuer: string): Cookie => cookie('session', issuer);

/** The cookie of a browser in which a person has signed in to an account before. */
export const deviceCookie = (issuer: string): Cookie => cookie('device', issuer);

/** The value that a browser sent; undefined when it is absent or cannot be one of ours. */
export function readCookie(request: IncomingMessage, { name }: Cookie): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    if (secretForm.test(value)) return value;
  }
  return undefined;
}

/** The `Set-Cookie` line for a value. Without `maxAge` (seconds) it ends with the browser. */
export function cookieLine({ name, secure }: Cookie, value: string, maxAge?: number): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  if (maxAge !== undefined) attributes.push(`Max-Age=${maxAge}`);
  return [`${name}=${value}`, ...attributes].join('; ');
}
