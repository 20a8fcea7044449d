import { DataFiles } from './backup/data-files.ts';
import { Metrics } from './metrics/metrics.ts';
import { Watch } from '@lyceum/service';

/** What a process knows of itself, for its operator. */
export interface Instruments {
  readonly metrics: Metrics;
  readonly watch: Watch;
  readonly files: DataFiles;
}

/** Instruments that have seen nothing yet. */
export function newInstruments(): Instruments {
  const metrics = new Metrics();
  return { metrics, watch: new Watch(), files: new DataFiles(metrics) };
}
