import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { type Commit, mongodbEventLog } from '@lyceum/eventlog';
import { allOf } from '../history/history.ts';
import { type Faults, checkLanes } from '../history/lane-history.ts';

/** Who races, and for how long. */
export interface RacePlan {
  readonly url: string;
  readonly processes: number;
  /** Appends that each process must get acknowledged. */
  readonly appends: number;
  readonly lanes: number;
  /** Appends that one process waits for at the same time. */
  readonly callers: number;
  /** Acknowledgements, about, between two kills or pauses of a process: so a slow machine kills as often as a fast one. */
  readonly disturb: number;
}

/** The answers to the racers. */
interface Answers {
  readonly acknowledged: string[];
  /** Ids of commits that were answered `conflict` or `unavailable`. */
  readonly refused: string[];
  /** Reads that lacked what the same process was answered or had read before. */
  readonly stale: string[];
  conflicts: number;
  unknown: number;
  unavailable: number;
  kills: number;
  pauses: number;
}

/** The answers to the racers, and what is wrong with what they left. */
export interface RaceResult extends Omit<Answers, 'acknowledged' | 'refused' | 'stale'> {
  readonly commits: number;
  readonly acknowledged: number;
  /** Of the racing alone, without the check. */
  readonly seconds: number;
  readonly faults: Faults;
}

/** How many of the processes write to the same lane. */
const sharing = 3;

/** Those that live now: none may outlive a race that failed. */
const running = new Set<ChildProcess>();

const script = fileURLToPath(new URL('../../dist/races/racer.js', import.meta.url));

/**
 * Processes that append to the same streams and lanes of one server, are killed and paused meanwhile, and are replaced
 * until each has its acknowledgements. Then the history that they left is checked through a log of its own.
 */
export async function raceProcesses(plan: RacePlan): Promise<RaceResult> {
  const database = `race_${randomUUID().slice(0, 8)}`;
  const answers: Answers = {
    acknowledged: [],
    refused: [],
    stale: [],
    conflicts: 0,
    unknown: 0,
    unavailable: 0,
    kills: 0,
    pauses: 0,
  };
  const began = performance.now();
  const { url } = plan;
  const place = async (self: number): Promise<void> => {
    for (let left = plan.appends; left > 0;) left -= await race(plan, [url, database], [left, self], answers);
  };
  try {
    await Promise.all(Array.from({ length: plan.processes }, (_, self) => place(self)));
  } finally {
    for (const child of running) child.kill('SIGKILL');
  }
  const seconds = (performance.now() - began) / 1_000;
  const log = await mongodbEventLog({ url, database, lanes: plan.lanes });
  try {
    const stored = await allOf(log);
    const faults = checked(stored, answers);
    const { refused: _, stale: __, ...counts } = answers;
    return { ...counts, acknowledged: answers.acknowledged.length, commits: stored.flat().length, seconds, faults };
  } finally {
    await log.close();
  }
}

/** One process until its end. Gives how many appends it got acknowledged. */
async function race(
  plan: RacePlan,
  where: readonly [url: string, database: string],
  [count, self]: readonly [count: number, self: number],
  answers: Answers,
): Promise<number> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const numbers = [plan.lanes, plan.callers, count, self, plan.processes, sharing].map(String);
  const child = spawn(process.execPath, [script, ...where, ...numbers], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  const soon = (): number => Math.ceil(plan.disturb * (0.5 + Math.random()));
  let own = 0;
  let next = soon();
  for await (const line of createInterface(child.stdout)) {
    const [word, ...rest] = line.split(' ');
    // A line that the end of the process cut off was not acknowledged to anyone.
    if (word === 'ack' && rest[2]?.length === 36) {
      own += 1;
      answers.acknowledged.push(rest.join(' '));
      if (own === next) {
        next += soon();
        disturb(child, answers);
      }
    } else if (word === 'stale') answers.stale.push(rest.join(' '));
    else if (word === 'conflict') answers.conflicts += 1;
    else if (word === 'unknown') answers.unknown += 1;
    else if (word === 'unavailable') answers.unavailable += 1;
    if ((word === 'conflict' || word === 'unavailable') && rest[0]?.length === 36) answers.refused.push(rest[0]);
  }
  const [code, signal] = await exited;
  running.delete(child);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`a racer ended by itself with ${code ?? signal}`);
  return own;
}

/** Every other time it is the process's end. */
function disturb(child: ChildProcess, answers: Answers): void {
  if (Math.random() < 0.5) {
    answers.kills += 1;
    child.kill('SIGKILL');
    return;
  }
  answers.pauses += 1;
  child.kill('SIGSTOP');
  void pause(50 + Math.random() * 400).then(() => child.kill('SIGCONT'));
}

/**
 * Lanes and streams are whole; each `<lane> <position> <commit id>` that was acknowledged is stored there, and was acknowledged once; what
 * was refused is not there; no read went back.
 */
export function checked(
  stored: readonly (readonly Commit[])[],
  { acknowledged, refused, stale }: Pick<Answers, 'acknowledged' | 'refused' | 'stale'>,
): Faults {
  const faults: Faults = [];
  checkLanes(stored, faults);
  const present = new Set(stored.flat().map(({ lane, position, commitId }) => `${lane} ${position} ${commitId}`));
  for (const line of acknowledged)
    if (!present.delete(line)) faults.push(`acknowledged, but not stored or acknowledged twice: ${line}`);
  const ids = new Set(stored.flat().map(({ commitId }) => commitId));
  for (const id of refused) if (ids.has(id)) faults.push(`refused, but stored: ${id}`);
  for (const read of stale) faults.push(`a read went back: ${read}`);
  return faults;
}
