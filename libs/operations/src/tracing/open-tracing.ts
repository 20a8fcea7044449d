import type { Tracer } from '@lyceum/kernel';
import type { Logger } from 'pino';

/** Where traces go, and how many. */
export interface TracingOptions {
  /** Base URL of an OTLP/HTTP collector. */
  readonly endpoint: string;
  /** Headers for the collector, `name=value` with commas between, percent-encoded. */
  readonly headers?: string | undefined;
  /** `service.name` of the process. */
  readonly service: string;
  /** Share of the traces that begin here which are recorded, 0 to 1. */
  readonly ratio: number;
  /** Milliseconds that the collector may take for a batch, tries included; 10,000 when not given. */
  readonly patience?: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Traces of a process, on their way to a collector. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Spans since the start that the collector took, and those that it did not get. */
  readonly counts: { readonly exported: number; readonly dropped: number };
  /** Exports what is left, within 700 milliseconds; never rejects. */
  close(): Promise<void>;
}

/** Begins to trace. Only then the SDK is loaded: a process that does not trace has nothing of it in memory. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { otlpTracing } = await import('./otlp/otlp-tracer.ts');
  return otlpTracing(options);
}
