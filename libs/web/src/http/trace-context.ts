import type { Span } from '@lyceum/kernel';

const known = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const later = /^(?!ff|00)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * The trace that a `traceparent` header names, of this version of the format or a later one: 32 hexadecimal digits.
 * Undefined when there is none or it is not valid.
 * @see W3C Trace Context §3.2, §4.3
 */
export const traceIdOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' && (known.test(header) || later.test(header)) ? header.slice(3, 35) : undefined;

/** How a log line names a span. @see https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/ */
export const spanFields = ({ traceparent }: Pick<Span, 'traceparent'>) => ({
  trace_id: traceparent.slice(3, 35),
  span_id: traceparent.slice(36, 52),
  trace_flags: traceparent.slice(53),
});
