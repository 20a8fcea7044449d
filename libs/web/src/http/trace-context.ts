const known = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const later = /^(?!ff|00)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * The trace that a `traceparent` header names, of this version of the format or a later one: 32 hexadecimal digits.
 * Undefined when there is none or it is not valid.
 * @see W3C Trace Context §3.2, §4.3
 */
export const traceIdOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' && (known.test(header) || later.test(header)) ? header.slice(3, 35) : undefined;
