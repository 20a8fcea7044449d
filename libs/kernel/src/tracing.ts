/**
 * The attributes that a span may have: what is not here never leaves the process. None holds a token, a code, a path, a query
 * string, a body or an address of a person.
 * @see OpenTelemetry semantic conventions for HTTP and messaging, https://opentelemetry.io/docs/specs/semconv/
 */
export const spanAttributes = [
  'error.type',
  'http.request.method',
  'http.request.resend_count',
  'http.response.status_code',
  'http.route',
  'messaging.batch.message_count',
  'messaging.consumer.group.name',
  'messaging.destination.name',
  'messaging.destination.partition.id',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
  'server.address',
  'server.port',
  'url.scheme',
  'lyceum.events',
  'lyceum.lane',
  'lyceum.peer',
  'lyceum.position',
  'lyceum.reaction',
  'lyceum.school',
  'lyceum.service',
] as const;

/** Attributes of a span; what is undefined is left out. */
export type SpanAttributes = {
  readonly [Name in (typeof spanAttributes)[number]]?: string | number | undefined;
};

/** What a span is to the one at its other end. @see https://opentelemetry.io/docs/specs/otel/trace/api/#spankind */
export type SpanKind = 'client' | 'consumer' | 'internal' | 'producer' | 'server';

/** How a span begins. */
export interface SpanStart {
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The `traceparent` of the parent; null: a trace of its own; not given: the span that is under way here, if one is. */
  readonly parent?: string | null | undefined;
  /** `traceparent`s of others that it has to do with. A trace of its own is sampled when one of them is. */
  readonly links?: readonly string[];
}

/** Work that a trace shows. */
export interface Span {
  /** How others name it as their parent. @see W3C Trace Context §3.2 */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Does work, to which spans that begin meanwhile belong. */
  run<T>(work: () => T): T;
  /** Ends it; with what went wrong, of which only the name of the error is kept, or the text. */
  end(failure?: unknown): void;
}

/** Tells of work as spans of traces. Where nothing is traced there is none. */
export interface Tracer {
  begin(name: string, start: SpanStart): Span;
  /** The span that is under way here. */
  active(): Span | undefined;
}

/** Does work in a span, which ends with it. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Whether a `traceparent` says that its trace is recorded. @see W3C Trace Context §3.2.2.5.1 */
export const isSampled = (traceparent: string): boolean => /[13579bdf]$/.test(traceparent.slice(0, 55));
