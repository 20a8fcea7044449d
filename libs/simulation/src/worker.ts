import { replaceGlobals } from './globals.ts';
import { mutations } from './mutations.ts';
import { patchModules } from './patches.ts';
import { type FaultKind, planOf } from './plan.ts';
import type { Outcome } from './simulate.ts';

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
  readonly found: Outcome | undefined;
}

/** The real time, milliseconds: the simulation takes the place of everybody's clock. */
const now = performance.now.bind(performance);

async function work({ first, step, seeds, seconds, mutation, without }: Job): Promise<Done> {
  const wanted = mutations.find(({ name }) => name === mutation);
  if (mutation !== undefined && !wanted) throw new Error(`there is no mutation ${mutation}`);
  patchModules(wanted?.patches ?? []);
  replaceGlobals();
  let unhandled: unknown;
  process.on('unhandledRejection', (reason) => void (unhandled ??= reason));
  const { connect, ownerName, simulate } = await import('./simulate.ts');
  Object.assign(globalThis, { [Symbol.for('lyceum.simulation')]: { connect, owner: ownerName } });
  const given = { mutations: new Set(wanted ? [wanted.name] : []), without: new Set(without) };
  const end = now() + seconds * 1_000;
  for (let count = 0; count < seeds && now() < end; count += 1) {
    const seed = first + count * step;
    if (!wanted?.needs.every((kind) => planOf(seed).faults.has(kind)) && wanted) continue;
    const outcome = await simulate(seed, given);
    if (unhandled !== undefined) {
      const said = unhandled instanceof Error ? (unhandled.stack ?? unhandled.message) : String(unhandled);
      return { seeds: count + 1, found: { ...outcome, found: `nobody handles a failure: ${said}` } };
    }
    if (outcome.found !== undefined) return { seeds: count + 1, found: outcome };
    if (count + 1 < seeds && now() >= end) return { seeds: count + 1, found: undefined };
  }
  return { seeds, found: undefined };
}

const job = process.argv[2];
if (job === undefined) throw new Error('a worker is started with a job');
const done = await work(JSON.parse(job) as Job);
process.send!(done, () => process.exit(0));
