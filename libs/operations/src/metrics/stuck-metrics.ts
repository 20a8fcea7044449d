import type { ServiceProcess } from '../repair/stuck.ts';
import type { Metrics } from './metrics.ts';

/**
 * Tells, whenever the metrics are read, how much of each process and reaction that runs here is stuck, as
 * `GET /internal/stuck` lists it: 0 while nothing is, and no more than it lists. `processes` gives those of the moment.
 */
export function observeStuck(metrics: Metrics, processes: () => readonly ServiceProcess[]): void {
  const names = ['service', 'process'] as const;
  const stuck = metrics.gauge('lyceum_stuck_processes', 'What waits for an operator, or has failed for long', names);
  metrics.beforeReading(async () => {
    const counts = await Promise.all(
      processes().map(async ({ service, process }) => ({ service, process, count: (await process.stuck()).length })),
    );
    stuck.reset();
    for (const { service, process, count } of counts) stuck.labels(service, process.name).set(count);
  });
}
