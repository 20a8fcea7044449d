import type { ErrorCode } from '@lyceum/contracts';
import { anyOrigin, answerError } from '@lyceum/web';
import type { ServerResponse } from 'node:http';
import type { School } from '../routing/school.ts';

/** Security headers of every response of a school; HSTS only where it is served by https. */
const security = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const;
const secured = { ...security, 'Strict-Transport-Security': 'max-age=31536000' } as const;

const securityOf = (school: School | undefined): Readonly<Record<string, string>> =>
  school?.secure ? secured : security;

/** Headers of every response of the gateway itself to one request. */
export const defaultHeaders = (requestId: string, school?: School): Readonly<Record<string, string>> => ({
  ...securityOf(school),
  'X-Request-Id': requestId,
});

/** Headers of every response of a service to one request, with those of its rate limit: name in lower case, value, name, value. */
export function defaultHeaderList(
  requestId: string,
  { secure }: School,
  limits: Readonly<Record<string, string>>,
): string[] {
  const list = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer', 'x-request-id', requestId];
  if (secure) list.push('strict-transport-security', secured['Strict-Transport-Security']);
  for (const name in limits) list.push(name.toLowerCase(), limits[name]!);
  return list;
}

/** Scripts of any origin may read an error, and these of its headers. */
const readable = anyOrigin(['WWW-Authenticate', 'Retry-After', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy']);

/** Answers with an error of the error table, as JSON. `headers` are added to the default ones. */
export function refuse(
  response: ServerResponse,
  code: ErrorCode,
  requestId: string,
  { school, headers, ...more }: Refused = {},
): void {
  const shown = { ...securityOf(school), ...readable, ...headers };
  answerError(response, code, requestId, { ...more, headers: shown });
}

/** What an error says beside its code. */
interface Refused {
  readonly description?: string | undefined;
  /** The status where it is not that of the code. */
  readonly status?: number | undefined;
  readonly school?: School | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}
