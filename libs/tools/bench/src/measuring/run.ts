import type { MachineClass } from './machine-class.ts';
import type { CaseResult, Effort } from './measure.ts';

/** One call of the program, as `--json` keeps it and as the page of benchmarks is written from it. */
export interface Run {
  /** When it ended, ISO 8601. */
  readonly at: string;
  readonly node: string;
  readonly v8: string;
  /** What repeats it. */
  readonly command: string;
  readonly machine: MachineClass;
  readonly effort: Effort;
  readonly results: readonly CaseResult[];
}
