import { type Operation, operation } from '@lyceum/web';
import type { Metrics } from './metrics.ts';

/** What Prometheus reads, with the operator token like everything here. */
export const metricsOperation = (metrics: Metrics): Operation =>
  operation({
    id: 'readMetrics',
    method: 'GET',
    path: '/metrics',
    area: 'operations',
    summary: 'Read all metrics of the process',
    anonymous: false,
    gives: metrics.mediaType,
    status: 200,
    handle: async () => ({ body: await metrics.text() }),
  });
