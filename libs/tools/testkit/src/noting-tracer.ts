import type { Span, SpanAttributes, SpanStart, Tracer } from '@lyceum/kernel';

/** A span that a test reads as it is. */
export interface NotedSpan extends SpanStart {
  name: string;
  readonly traceparent: string;
  readonly attributes: SpanAttributes;
  failure?: unknown;
  isEnded?: true;
}

/** A tracer that notes its spans and sends nothing. What is under way is so while `run` runs, and not behind an `await`. */
export function notingTracer(): Tracer & { readonly spans: readonly NotedSpan[] } {
  const spans: NotedSpan[] = [];
  let active: Span | undefined;
  return {
    spans,
    active: () => active,
    begin(name, { attributes = {}, ...start }) {
      const number = String(spans.length + 1).padStart(16, '0');
      const noted: NotedSpan & { attributes: SpanAttributes } = {
        name,
        ...start,
        attributes,
        traceparent: `00-${'a'.repeat(32)}-${number}-01`,
      };
      spans.push(noted);
      const span: Span = {
        traceparent: noted.traceparent,
        rename: (other) => void (noted.name = other),
        set: (more) => void (noted.attributes = { ...noted.attributes, ...more }),
        run(work) {
          const before = active;
          active = span;
          try {
            return work();
          } finally {
            active = before;
          }
        },
        end(failure) {
          noted.isEnded = true;
          if (failure !== undefined) noted.failure = failure;
        },
      };
      return span;
    },
  };
}
