import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  type Tracer as SdkTracer,
  trace,
} from '@opentelemetry/api';
import { parseKeyPairsIntoRecord, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { type Span, type SpanAttributes, type SpanStart, type Tracer, spanAttributes } from '@lyceum/kernel';
import type { Tracing, TracingOptions } from '../open-tracing.ts';
import { BoundedExport } from './bounded-export.ts';
import { linkSampler } from './link-sampler.ts';

/** Milliseconds between two lines about spans that were dropped, and in which what is left is exported at the end. */
const [folded, lastPatience] = [60_000, 700];

/** Longest value of an attribute, characters. */
const longestValue = 128;

/** Spans in one process, and their export over OTLP/HTTP as JSON to `<endpoint>/v1/traces`. */
export function otlpTracing({
  endpoint,
  headers = '',
  service,
  ratio,
  patience = 10_000,
  logger,
}: TracingOptions): Tracing {
  let said = -Infinity;
  const lost = (reason: string): void => {
    if (performance.now() - said < folded) return;
    said = performance.now();
    logger.warn({ reason, count: bounded.counts.dropped }, 'spans are dropped; nothing else is concerned');
  };
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: parseKeyPairsIntoRecord(headers),
    timeoutMillis: patience,
  });
  const bounded = new BoundedExport(exporter, patience, lost);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.instance.id': randomUUID() }),
    sampler: linkSampler(ratio),
    spanProcessors: [bounded],
    spanLimits: { attributeValueLengthLimit: longestValue },
  });
  return {
    tracer: new OtlpTracer(provider.getTracer('lyceum')),
    counts: bounded.counts,
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const overrun = new Promise<void>((resolve) => (timer = setTimeout(resolve, lastPatience)));
      await Promise.race([provider.shutdown().catch(() => undefined), overrun]);
      clearTimeout(timer);
    },
  };
}

const kinds = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  server: SpanKind.SERVER,
} as const;

class OtlpTracer implements Tracer {
  readonly #tracer: SdkTracer;
  readonly #under = new AsyncLocalStorage<OtlpSpan>();

  constructor(tracer: SdkTracer) {
    this.#tracer = tracer;
  }

  begin(name: string, { kind, attributes, parent, links = [] }: SpanStart): Span {
    const context = parent === undefined ? (this.#under.getStore()?.context ?? ROOT_CONTEXT) : contextOf(parent);
    const linked = links.flatMap((each) => parseTraceParent(each) ?? []).map((each) => ({ context: each }));
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], links: linked }, context);
    const begun = new OtlpSpan(span, this.#under);
    if (attributes) begun.set(attributes);
    return begun;
  }

  active(): Span | undefined {
    return this.#under.getStore();
  }
}

/** The context of a span elsewhere; that of none where the text is not valid. */
function contextOf(traceparent: string | null): Context {
  const parent = traceparent === null ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

const allowed: ReadonlySet<string> = new Set(spanAttributes);

class OtlpSpan implements Span {
  readonly traceparent: string;
  readonly context: Context;
  readonly #span: SdkSpan;
  readonly #under: AsyncLocalStorage<OtlpSpan>;

  constructor(span: SdkSpan, under: AsyncLocalStorage<OtlpSpan>) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    this.context = trace.setSpan(ROOT_CONTEXT, span);
    this.#span = span;
    this.#under = under;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    if (!this.#span.isRecording()) return;
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined && allowed.has(name)) this.#span.setAttribute(name, value);
  }

  run<T>(work: () => T): T {
    return this.#under.run(this, work);
  }

  end(failure?: unknown): void {
    if (failure !== undefined) {
      this.set({ 'error.type': failureName(failure) });
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** The name of an error and never its message, which may say anything. */
function failureName(failure: unknown): string {
  const name = failure instanceof Error ? failure.name : failure;
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : '_OTHER';
}
