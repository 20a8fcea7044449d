import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FaultKind } from './plan.ts';
import type { Outcome } from './simulate.ts';
import type { Done, Job } from './worker.ts';

/** Which seeds are run, and for how long at most. */
export interface Run {
  readonly first?: number;
  readonly seeds: number;
  /** All day when not given. */
  readonly seconds?: number;
  /** A fault to put back into the code. */
  readonly mutation?: string | undefined;
  /** Kinds of trouble that are left out. */
  readonly without?: readonly FaultKind[];
  /** As many as there are processors when not given. */
  readonly workers?: number;
}

/** Compiled, also when this file is not: what it runs is what `tsc -b` made. */
const worker = fileURLToPath(new URL('../dist/worker.js', import.meta.url));

/** Runs seeds in processes of their own, side by side, up to the first that finds something. */
export async function runSeeds(run: Run): Promise<Done> {
  const { first = 1, seeds, seconds = 86_400, mutation, without = [], workers = availableParallelism() } = run;
  const count = Math.min(workers, seeds);
  const jobs = Array.from({ length: count }, (_, index): Job => {
    const own = Math.ceil((seeds - index) / count);
    return { first: first + index, step: count, seeds: own, seconds, mutation, without };
  });
  const ending = new AbortController();
  const all = await Promise.all(
    jobs.map(async (job) => {
      const done = await one(job, ending.signal);
      if (done?.found) ending.abort();
      return done ?? { seeds: 0, found: undefined };
    }),
  );
  return {
    seeds: all.reduce((sum, done) => sum + done.seeds, 0),
    found: all.flatMap(({ found }) => found ?? []).sort((a, b) => a.seed - b.seed)[0],
  };
}

/** Undefined when it was ended, because another one found something. */
function one(job: Job, signal: AbortSignal): Promise<Done | undefined> {
  return new Promise((resolve, reject) => {
    const child = fork(worker, [JSON.stringify(job)], { execArgv: ['--no-warnings'], stdio: ['ignore', 2, 2, 'ipc'] });
    let done: Done | undefined;
    child.on('message', (said) => void (done = said as Done));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (done || signal.aborted) resolve(done);
      else reject(new Error(`a worker ended with ${code} before it was done`));
    });
    signal.addEventListener('abort', () => child.kill(), { once: true });
  });
}

/** The same seed with as few kinds of trouble as it needs to find something. */
export async function shrink(found: Outcome, mutation: string | undefined): Promise<Outcome> {
  let least = found;
  let without: readonly FaultKind[] = [];
  for (const kind of found.faults) {
    const run = { first: found.seed, seeds: 1, mutation, without: [...without, kind] };
    const { found: still } = await runSeeds(run);
    if (!still) continue;
    [least, without] = [still, run.without];
  }
  return least;
}
