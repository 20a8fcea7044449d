import { setImmediate as turn } from 'node:timers/promises';
import { Damaged, Gap } from './errors.ts';
import type { EventLog } from './port.ts';

/** A position at which a log has no commit that can be read. */
export interface Fault {
  readonly lane: number;
  readonly position: number;
  readonly reason: 'missing' | 'damaged';
}

const page = 256;

/** How much of a log is looked at. */
export interface CheckOptions {
  /** Only so many of the newest commits of each lane; all when not given. */
  readonly newest?: number;
  /** Beside the newest, so many from anywhere in the lane. */
  readonly others?: number;
  /** Faults after which it ends; 100 when not given. */
  readonly most?: number;
}

/**
 * Reads commits of every lane, and compares each with its checksum and its predecessor. Others have their turn between two
 * pages. Throws `Unavailable`.
 */
export async function faultsIn(
  log: EventLog,
  { newest = Infinity, others = 0, most = 100 }: CheckOptions = {},
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (let lane = 0; lane < log.lanes; lane += 1) {
    const head = await log.head(lane);
    const rest = Math.max(0, head - newest);
    const from = Math.floor(Math.random() * Math.max(0, rest - others));
    for (const [first, last] of [
      [from, Math.min(rest, from + others)],
      [rest, head],
    ] as const)
      for (let after = first; after < last && faults.length < most;) {
        const step = await nextFault(log, lane, after, last);
        if (step.fault) faults.push(step.fault);
        after = step.after;
        await turn();
      }
  }
  return faults;
}

/** Reads one page: how far it was right, and what is wrong then. */
async function nextFault(log: EventLog, lane: number, after: number, head: number) {
  let reached = after;
  try {
    const commits = await log.readLane(lane, after, Math.min(page, head - after));
    for (const { position, events, meta } of commits) reached = events && meta ? position : reached;
    return { after: commits.length === 0 ? head : reached };
  } catch (error) {
    if (!(error instanceof Gap)) throw error;
    const { at } = error;
    const fault: Fault = { lane, position: at, reason: error instanceof Damaged ? 'damaged' : 'missing' };
    // The commit after it is where the lane goes on.
    return { fault, after: Math.max(at, after) + 1 };
  }
}
