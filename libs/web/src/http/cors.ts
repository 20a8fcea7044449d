import type { Exchange } from './exchange.ts';

const exposed = [
  'WWW-Authenticate',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Consistency-Token',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
].join(', ');

const sendable = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Consistency-Token',
  'Last-Event-ID',
  'Prefer',
  'X-Request-Id',
].join(', ');

/** Any origin may call, without cookies: the bearer token is the only credential. */
export function allowAnyOrigin(context: Exchange): void {
  context.set('access-control-allow-origin', '*');
  context.set('access-control-expose-headers', exposed);
}

/** Whether the request asks what a browser may send. */
export const isPreflight = (context: Exchange): boolean =>
  context.method === 'OPTIONS' && context.get('Access-Control-Request-Method') !== '';

/** Answers a preflight, for every path alike. */
export function answerPreflight(context: Exchange): void {
  context.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  context.set('access-control-allow-headers', sendable);
  context.set('access-control-max-age', '86400');
  context.status = 204;
}
