import { type ErrorCode, errors } from '@lyceum/contracts';
import type { ServerResponse } from 'node:http';
import type { School } from '../routing/school.ts';

/** What every answer of a school carries, by whichever service. HSTS only where visitors come by https. */
const security = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const;
const secured = { ...security, 'Strict-Transport-Security': 'max-age=31536000' } as const;

/** The headers of every answer to one request. */
export const standingHeaders = (requestId: string, school?: School): Readonly<Record<string, string>> => ({
  ...(school?.secure ? secured : security),
  'X-Request-Id': requestId,
});

/**
 * The headers of every answer to one request that a service gives, and what limits tell: name in small letters, value,
 * name, value.
 */
export function standingList(
  requestId: string,
  { secure }: School,
  limits: Readonly<Record<string, string>>,
): string[] {
  const list = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer', 'x-request-id', requestId];
  if (secure) list.push('strict-transport-security', secured['Strict-Transport-Security']);
  for (const name in limits) list.push(name.toLowerCase(), limits[name]!);
  return list;
}

/** What pages may read of an error. */
const exposed = 'WWW-Authenticate, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy';

/** Answers with an error of the table, as JSON. `headers` come beside the standing ones. */
export function refuse(
  response: ServerResponse,
  code: ErrorCode,
  requestId: string,
  more: {
    readonly description?: string;
    /** The status where it is not that of the code. */
    readonly status?: number | undefined;
    readonly school?: School | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): void {
  const error_description = more.description ?? errors[code].means;
  const body = Buffer.from(JSON.stringify({ error: code, error_description, request_id: requestId }));
  response.writeHead(more.status ?? errors[code].status, {
    ...standingHeaders(requestId, more.school),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposed,
    ...more.headers,
  });
  response.end(body);
}
