import { anyOrigin, sendableFromAnyOrigin } from '../http/cors.ts';
import type { Exchange } from '../http/exchange.ts';

const readable = anyOrigin([
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
]);

const sendable = sendableFromAnyOrigin(
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  [
    'Authorization',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    'Consistency-Token',
    'Last-Event-ID',
    'Order-Secret',
    'Prefer',
    'X-Request-Id',
  ],
);

/** Any origin may read what operations answer. */
export const letAnyOriginRead = (context: Exchange): void => context.set(readable);

/** Whether the request asks what a browser may send. */
export const isPreflight = (context: Exchange): boolean =>
  context.method === 'OPTIONS' && context.get('Access-Control-Request-Method') !== '';

/** Answers a preflight, for every path alike. */
export function answerPreflight(context: Exchange): void {
  context.set(sendable);
  context.status = 204;
}
