/** Headers, by name in lower case: these need no conversion. */
type Headers = Readonly<Record<string, string>>;

/** Lets scripts of any origin read an answer. */
export const readableByAnyOrigin: Headers = { 'access-control-allow-origin': '*' };

/**
 * Lets scripts of any origin read an answer, and these of its headers. Without cookies: a bearer token is the only credential.
 * @see Fetch §3.2
 */
export const anyOrigin = (exposed: readonly string[]): Headers => ({
  ...readableByAnyOrigin,
  'access-control-expose-headers': exposed.join(', '),
});

/** What scripts of any origin may send, as the answer to a preflight says it for a day. @see Fetch §3.2.3 */
export const sendableFromAnyOrigin = (methods: readonly string[], headers: readonly string[]): Headers => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': headers.join(', '),
  'access-control-max-age': '86400',
});
