// Nothing that is patched may be loaded before patchModules: no library is imported here.
import { ofEachProcess, replaceGlobals } from './globals.ts';
import { mutations } from '../mutations.ts';
import { patchModules } from './patches.ts';
import { type FaultKind, planOf } from '../plan.ts';
import type { Outcome } from '../simulate.ts';

/** What a worker is asked for: seeds from `first` on, each `step` after the one before. */
export interface Job {
  readonly first: number;
  readonly step: number;
  readonly seeds: number;
  readonly seconds: number;
  readonly mutation?: string | undefined;
  readonly without: readonly FaultKind[];
}

/** How many seeds were run, up to the first that found something. */
export interface Done {
  readonly seeds: number;
  /** Tasks of all of them: the same whenever the same seeds are run, in whatever order and company. */
  readonly steps: number;
  readonly found: Outcome | undefined;
}

/** What a worker says now and then before it is done: how many seeds it has run. */
export interface Progress {
  readonly ran: number;
}

/** Real milliseconds between two words of progress. */
const often = 1_000;

/** The real time, milliseconds: the simulation takes the place of everybody's clock. */
const now = performance.now.bind(performance);

async function work({ first, step, seeds, seconds, mutation, without }: Job): Promise<Done> {
  const wanted = mutations.find(({ name }) => name === mutation);
  if (mutation !== undefined && !wanted) throw new Error(`there is no mutation ${mutation}`);
  patchModules(wanted?.patches ?? []);
  replaceGlobals();
  let unhandled: unknown;
  process.on('unhandledRejection', (reason) => void (unhandled ??= reason));
  const { connect, simulate } = await import('../simulate.ts');
  const moments = ofEachProcess(() => new Map<number, unknown>());
  Object.assign(globalThis, { [Symbol.for('lyceum.simulation')]: { connect, moments } });
  const given = { mutations: new Set(wanted ? [wanted.name] : []), without: new Set(without) };
  const end = now() + seconds * 1_000;
  let steps = 0;
  for (let [count, reported] = [0, now()]; count < seeds; count += 1) {
    if (count > 0 && now() >= end) return { seeds: count, steps, found: undefined };
    const seed = first + count * step;
    if (wanted && !wanted.needs.every((kind) => planOf(seed).faults.has(kind))) continue;
    const outcome = await simulate(seed, given);
    steps += outcome.steps;
    if (unhandled !== undefined) {
      const said = unhandled instanceof Error ? (unhandled.stack ?? unhandled.message) : String(unhandled);
      return { seeds: count + 1, steps, found: { ...outcome, found: `nobody handles a failure: ${said}` } };
    }
    if (outcome.found !== undefined) return { seeds: count + 1, steps, found: outcome };
    if (now() - reported < often) continue;
    reported = now();
    process.send!({ ran: count + 1 } satisfies Progress);
  }
  return { seeds, steps, found: undefined };
}

const job = process.argv[2];
if (job === undefined) throw new Error('a worker is started with a job');
const done = await work(JSON.parse(job) as Job);
process.send!(done, () => process.exit(0));
