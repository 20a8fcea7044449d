import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from './open-tracing.ts';

/** Tells, whenever the metrics are read, what became of the spans of the process: of none where nothing is traced. */
export function observeTracing(metrics: Metrics, tracing: Pick<Tracing, 'counts'> | undefined): void {
  const { counts = { exported: 0, dropped: 0 } } = tracing ?? {};
  const spans = metrics.counter('lyceum_trace_spans_total', 'Ended spans by what became of them', ['outcome']);
  metrics.beforeReading(() => {
    spans.reset();
    spans.labels('exported').inc(counts.exported);
    spans.labels('dropped').inc(counts.dropped);
  });
}
