import { anyOrigin, sendableFromAnyOrigin } from '@lyceum/web';

/** Programs in a browser may call from any origin. Scripts may not read pages and redirects. @see RFC 9700 §2.6 */
export const programsOfAnyOrigin = anyOrigin([
  'WWW-Authenticate',
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
]);

/** The headers of the reply to a preflight of an endpoint for programs. */
export const preflightHeaders = (methods: readonly string[]): Readonly<Record<string, string>> => ({
  ...programsOfAnyOrigin,
  ...sendableFromAnyOrigin(methods, ['Authorization', 'Content-Type', 'X-Request-Id']),
});
