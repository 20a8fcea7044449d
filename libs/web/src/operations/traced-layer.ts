import type { Tracer } from '@lyceum/kernel';
import type { AccessLine } from '../http/access-log.ts';
import type { Exchange } from '../http/exchange.ts';
import { namedMethod } from '../http/methods.ts';
import { spanFields, traceIdOf } from '../http/trace-context.ts';

type Layer = (context: Exchange, next: () => Promise<unknown>) => Promise<void>;

/**
 * The same outermost layer of a service, in a span for each request: of the trace that the gateway or another service names,
 * whose word about sampling counts. Without a tracer it is the layer itself.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server-span
 */
export function tracedLayer(layer: Layer, service: string, tracer: Tracer | undefined): Layer {
  if (!tracer) return layer;
  return async (context, next) => {
    const method = namedMethod(context.method);
    const span = tracer.begin(method, {
      kind: 'server',
      parent: context.get('traceparent') || undefined,
      attributes: { 'http.request.method': method, 'url.scheme': 'http', 'lyceum.service': service },
    });
    context.state.span = span;
    try {
      await span.run(() => layer(context, next));
    } finally {
      const { route, school, code } = context.state;
      const { status } = context;
      if (route !== undefined) span.rename(`${method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': status, 'lyceum.school': school });
      span.end(status >= 500 ? (code ?? String(status)) : undefined);
    }
  };
}

/** What the log line about a request says of its trace. */
export const traceFields = (context: Exchange): Pick<AccessLine, 'trace_id' | 'span_id' | 'trace_flags'> =>
  context.state.span ? spanFields(context.state.span) : { trace_id: traceIdOf(context.headers['traceparent']) };
