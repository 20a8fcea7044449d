import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracer } from '@lyceum/kernel';
import { namedMethod, traceIdOf } from '@lyceum/web';
import type { Verdict } from '../verdict.ts';
import type { Trace } from './trace.ts';

/**
 * The trace of a request from outside, where traces are told of: always a new one. The client's is a link, so that its word
 * decides neither what is recorded nor under which trace.
 * @see W3C Trace Context §3.2.2.5.1, https://www.w3.org/TR/trace-context/#sampled-flag
 */
export function beginTraced(
  tracer: Tracer,
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
): Trace {
  const named = namedMethod(method);
  const sent = headers['traceparent'];
  const span = tracer.begin(named, {
    kind: 'server',
    parent: null,
    links: traceIdOf(sent) === undefined ? [] : [`${(sent as string).slice(0, 53)}00`],
    attributes: { 'http.request.method': named, 'lyceum.service': 'gateway' },
  });
  response.once('close', () => {
    const { statusCode, headersSent } = response;
    if (headersSent) span.set({ 'http.response.status_code': statusCode });
    span.end(headersSent && statusCode >= 500 ? String(statusCode) : undefined);
  });
  return { id: span.traceparent.slice(3, 35), begun: span.traceparent, span };
}

/** Tells of what is to be done with a request, in names of which there are few. */
export function noteVerdict({ span }: Trace, { method = '' }: IncomingMessage, verdict: Verdict): void {
  if (!span) return;
  const { kind, school } = verdict;
  const scheme = school && new URL(school.baseUrl).protocol.slice(0, -1);
  span.set({ 'lyceum.school': school?.id, 'url.scheme': scheme });
  span.rename(`${namedMethod(method)} ${kind === 'forward' ? verdict.service : kind}`);
  if (kind === 'forward') span.set({ 'lyceum.peer': verdict.service });
}

/** Work for a request that may be done when it is its turn: in its span, where it has one. */
export const underSpan = ({ span }: Trace, work: () => void): (() => void) => (span ? () => span.run(work) : work);
