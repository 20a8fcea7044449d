import { DataFiles } from './backup/data-files.ts';
import { Metrics } from './metrics/metrics.ts';
import { Watch } from '@lyceum/service';

/** What a process knows of itself, for its operator. */
export interface Instruments {
  readonly metrics: Metrics;
  readonly watch: Watch;
  readonly files: DataFiles;
}

/** Instruments that have seen nothing yet. `exemplars`: whether the time that requests take names traces. */
export function newInstruments({ exemplars = false }: { readonly exemplars?: boolean } = {}): Instruments {
  const metrics = new Metrics(exemplars);
  return { metrics, watch: new Watch(), files: new DataFiles(metrics) };
}
