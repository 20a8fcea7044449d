import type { Context } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';

/** What became of spans so far. */
export interface SpanCounts {
  exported: number;
  /** There was no room for them, or the collector did not take them. */
  dropped: number;
}

/** Spans that may wait, spans in one request, and milliseconds between two requests. */
const [mostWaiting, batch, pause] = [2_048, 512, 1_000];

/**
 * Hands ended spans to an exporter in batches, behind everything else: what ends while too many wait is dropped, and what is
 * dropped is counted. `patience`: milliseconds that an export may take; `lost` is called after each drop.
 */
export class BoundedExport implements SpanProcessor {
  readonly counts: SpanCounts = { exported: 0, dropped: 0 };
  readonly #lost: (reason: string) => void;
  readonly #processor: BatchSpanProcessor;
  #waiting = 0;

  constructor(exporter: SpanExporter, patience: number, lost: (reason: string) => void) {
    this.#lost = lost;
    this.#processor = new BatchSpanProcessor({
      exporter: this.#counting(exporter),
      maxQueueSize: mostWaiting,
      maxExportBatchSize: batch,
      scheduledDelayMillis: pause,
      exportTimeoutMillis: patience + pause,
    });
  }

  onStart(span: Span, parent: Context): void {
    this.#processor.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= mostWaiting) return this.#drop(1, 'too many spans wait');
    this.#waiting += 1;
    this.#processor.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#processor.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#processor.shutdown();
  }

  #drop(spans: number, reason: string): void {
    this.counts.dropped += spans;
    this.#lost(reason);
  }

  #counting(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans: ReadableSpan[], done: (result: ExportResult) => void) => {
        this.#waiting -= spans.length;
        exporter.export(spans, (result) => {
          if (result.code === ExportResultCode.SUCCESS) this.counts.exported += spans.length;
          else this.#drop(spans.length, result.error?.message ?? 'the collector does not take them');
          done(result);
        });
      },
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    };
  }
}
