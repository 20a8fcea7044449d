import type { Tracer } from '@lyceum/kernel';
import type { OutgoingRequest } from './outgoing-request.ts';

/** An attempt that is a span: the request names it as the parent of what the service does. */
interface TracedAttempt {
  readonly request: OutgoingRequest;
  answered(status: number): void;
  failed(error: Error): void;
}

/** Begins the span of an attempt at an instance; undefined for what belongs to no trace. */
export type Traced = (request: OutgoingRequest, url: string, isSecond: boolean) => TracedAttempt | undefined;

/**
 * Spans of the requests to a service, one for each attempt.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client-span
 */
export const clientSpans =
  (tracer: Tracer, name: string): Traced =>
  (request, url, isSecond) => {
    const { method, headers } = request;
    const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === 'traceparent');
    if (at < 0 && !tracer.active()) return undefined;
    const { protocol, hostname, port } = new URL(url);
    const span = tracer.begin(`${method} ${name}`, {
      kind: 'client',
      parent: at < 0 ? undefined : headers[at + 1],
      attributes: {
        'http.request.method': method,
        'http.request.resend_count': isSecond ? 1 : undefined,
        'url.scheme': protocol.slice(0, -1),
        'server.address': hostname,
        'server.port': Number(port) || undefined,
        'lyceum.peer': name,
      },
    });
    const others = at < 0 ? headers : headers.toSpliced(at, 2);
    return {
      request: { ...request, headers: [...others, 'traceparent', span.traceparent] },
      answered(status) {
        span.set({ 'http.response.status_code': status });
        span.end(status >= 400 ? String(status) : undefined);
      },
      failed: (error) => span.end(error),
    };
  };
