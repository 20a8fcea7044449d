/** Programs in a browser may call from any origin, without cookies. Pages and redirects are for nobody's scripts. @see RFC 9700 §2.6 */
export const anyOrigin: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
};

/** The headers of the reply to a preflight. */
export const preflightHeaders = (methods: readonly string[]): Readonly<Record<string, string>> => ({
  ...anyOrigin,
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '86400',
});
