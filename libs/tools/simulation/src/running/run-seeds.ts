import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FaultKind } from '../plan.ts';
import type { Outcome } from '../simulate.ts';
import type { Done, Job, Progress } from './worker.ts';

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
  /** Hears now and then how many seeds were run so far. */
  readonly onProgress?: (seeds: number) => void;
}

/** Node's own way to drain promises (see `everyStep`), and room for what dies young: both save time. */
const execArgv = ['--no-warnings', '--expose-internals', '--max-semi-space-size=64'];

/** Compiled, also when this file is not: what it runs is what `tsc -b` made. */
const worker = fileURLToPath(new URL('../../dist/running/worker.js', import.meta.url));

/** Runs seeds in processes of their own, side by side, up to the first that finds something. */
export async function runSeeds(run: Run): Promise<Done> {
  const { first = 1, seeds, seconds = 86_400, mutation, without = [], workers = availableParallelism() } = run;
  const count = Math.min(workers, seeds);
  const jobs = Array.from({ length: count }, (_, index): Job => {
    const own = Math.ceil((seeds - index) / count);
    return { first: first + index, step: count, seeds: own, seconds, mutation, without };
  });
  const ending = new AbortController();
  const ran = jobs.map(() => 0);
  const all = await Promise.all(
    jobs.map(async (job, index) => {
      const done = await one(job, ending.signal, (seeds) => {
        ran[index] = seeds;
        run.onProgress?.(sum(ran));
      });
      if (done?.found) ending.abort();
      return done ?? { seeds: ran[index]!, steps: 0, found: undefined };
    }),
  );
  return {
    seeds: sum(all.map((done) => done.seeds)),
    steps: sum(all.map(({ steps }) => steps)),
    found: all.flatMap(({ found }) => found ?? []).sort((a, b) => a.seed - b.seed)[0],
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Undefined when it was ended, because another one found something. */
function one(job: Job, signal: AbortSignal, onProgress: (seeds: number) => void): Promise<Done | undefined> {
  return new Promise((resolve, reject) => {
    const child = fork(worker, [JSON.stringify(job)], { execArgv, stdio: ['ignore', 2, 2, 'ipc'] });
    let done: Done | undefined;
    child.on('message', (said: Done | Progress) => {
      if ('ran' in said) onProgress(said.ran);
      else done = said;
    });
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
