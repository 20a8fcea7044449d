import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mongodbEventLog } from '@lyceum/eventlog';
import { allOf } from './history.ts';
import { type Faults, checkLanes } from './lane-history.ts';

/** Who races, and for how long. */
export interface RacePlan {
  readonly url: string;
  readonly processes: number;
  /** Appends that each process must get acknowledged. */
  readonly appends: number;
  readonly lanes: number;
  /** Appends that one process waits for at the same time. */
  readonly callers: number;
  /** Milliseconds, about, between two kills or pauses of a process. */
  readonly disturb: number;
}

/** What the racers were told, and what is wrong with what they left. */
export interface RaceResult {
  readonly commits: number;
  readonly acknowledged: number;
  readonly conflicts: number;
  readonly unknown: number;
  readonly kills: number;
  readonly pauses: number;
  readonly seconds: number;
  readonly faults: Faults;
}

const script = fileURLToPath(new URL('../../eventlog/dist/testing/mongodb-stress.js', import.meta.url));

/**
 * Processes that append to the same streams and lanes of one server, are killed and paused meanwhile, and are replaced
 * until each has its acknowledgements. The history is checked twice: past the adapter by the racers' own checker (each
 * acknowledgement is stored once, at its place), and through a log that is opened afterwards.
 */
export async function raceProcesses({ url, ...plan }: RacePlan): Promise<RaceResult> {
  const { processes, appends, lanes, callers, disturb } = plan;
  const args = [script, url, ...[processes, appends, lanes, callers, disturb].map(String)];
  const { NODE_OPTIONS: _, ...env } = process.env;
  // It exits with 1 when it found a fault, and tells it all the same.
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 24 }).catch(
    (error: unknown) => {
      if ((error as { stdout?: string }).stdout) return error as { stdout: string };
      throw error;
    },
  );
  const { database, ...told } = JSON.parse(stdout) as RaceResult & { database: string };
  const log = await mongodbEventLog({ url, database, lanes });
  try {
    const stored = await allOf(log);
    const faults = [...told.faults];
    checkLanes(stored, faults);
    if (stored.flat().length !== told.commits) faults.push(`the log gives ${stored.flat().length} of ${told.commits}`);
    return { ...told, faults };
  } finally {
    await log.close();
  }
}
