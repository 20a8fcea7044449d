import { type ErrorCode, errors } from '@lyceum/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Document } from '../documents/document.ts';
import type { School } from '../school.ts';

/** What every answer of a school carries, by whichever service. HSTS only where visitors come by https. */
const security = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const;
const secured = { ...security, 'Strict-Transport-Security': 'max-age=31536000' } as const;

/** The headers of every answer to one request. */
export const standingHeaders = (requestId: string, school?: School): Readonly<Record<string, string>> => ({
  ...(school?.secure ? secured : security),
  'X-Request-Id': requestId,
});

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

const readable = 'GET, HEAD, OPTIONS';

const preflight = {
  Allow: readable,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': readable,
  'Access-Control-Allow-Headers': 'Accept, Authorization, Content-Type, If-None-Match, MCP-Protocol-Version',
  'Access-Control-Max-Age': '86400',
} as const;

/** Answers a request for a prepared document: 200, 304 by its ETag, a preflight, or 405. */
export function sendDocument(
  request: IncomingMessage,
  response: ServerResponse,
  document: Document,
  requestId: string,
  school: School,
): void {
  const standing = standingHeaders(requestId, school);
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { ...standing, ...preflight }).end();
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(response, 'method_not_allowed', requestId, { school, headers: { Allow: readable } });
  } else if (matches(request.headers['if-none-match'], document.etag)) {
    response.writeHead(304, { ...standing, ...document.cacheHeaders }).end();
  } else {
    response.writeHead(200, { ...standing, ...document.cacheHeaders, ...document.bodyHeaders }).end(document.body);
  }
}

const opaqueTags = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether If-None-Match names the entity tag, by weak comparison.
 * @see RFC 9110 §13.1.2
 */
const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || new Set<string>(header.match(opaqueTags)).has(etag));
