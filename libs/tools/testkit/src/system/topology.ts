import { availability } from '../servers/availability.ts';
import type { Engine, EngineKind } from '../servers/backing-server.ts';
import { isLongRun } from '../long-run.ts';
import { testRun } from '../servers/run-folder.ts';
import { meet } from '../servers/shared-server.ts';
import { type SplitEngines, startSplit } from './split.ts';
import { startShared } from './shared-system.ts';
import type { Place } from './system.ts';

/** A way to run the whole system. */
export interface Topology {
  readonly name: 'one' | 'split';
  /** For titles. */
  readonly title: string;
  /** Milliseconds that a test allows for a fact of one service to be in force at another, on a busy machine. */
  readonly lag: number;
  /** Opens a system; `close` stops what is this caller's alone. */
  open(): Promise<{ readonly system: Place; close(): Promise<unknown> }>;
}

/** Each is started once for a test run, by whoever needs it first, and ends with the run. */
const once = async (name: string, start: () => Promise<Place>) => ({
  system: await meet(name, testRun, start),
  close: () => Promise.resolve(),
});

const one: Topology = {
  name: 'one',
  title: 'in one process',
  lag: 0,
  open: () => once('system', () => startShared(testRun)),
};

/** Whether the history of the demo is written on separate processes too: on few cores that takes longer than all else. */
const isHistorySplit = process.env['SPLIT_HISTORY'] === 'true';

const split: Topology = {
  name: 'split',
  title: 'in separate processes on MongoDB-wire, Kafka and Redis',
  lag: 2_000,
  open: () =>
    once('split system', async () => {
      const shared = await Promise.all((await engines()).map((engine) => engine.shared()));
      const env = { DEMO_HISTORY: String(isHistorySplit) };
      const { processes: _, ...place } = await startSplit({ engines: urlsOf(shared), owner: testRun, env });
      return place;
    }),
};

/** The addresses of a MongoDB-wire server, a broker and a Redis server, in this order. */
export const urlsOf = ([mongodb, kafka, redis]: readonly { readonly url: string }[]): SplitEngines => ({
  mongodb: mongodb!.url,
  kafka: kafka!.url,
  redis: redis!.url,
});

const kinds: readonly EngineKind[] = ['mongodb', 'kafka', 'redis'];

/** The first engine of each kind that a split system needs. Throws when one is missing. */
export async function engines(): Promise<readonly Engine[]> {
  const found = await Promise.all(kinds.map(availability));
  const missing = found.find((each) => each.engines.length === 0);
  if (missing) throw new Error(missing.reason);
  return found.map((each) => each.engines[0]!);
}

/** Why there can be no split system here; undefined when there can. With `REQUIRE_BACKING_SERVICES=1` a reason is thrown. */
export async function noSplit(): Promise<string | undefined> {
  const found = await Promise.all(kinds.map(availability));
  return found.find((each) => each.engines.length === 0)?.reason;
}

/**
 * Defines a suite once for each topology that this machine can serve, and one skipped suite that tells why for another.
 * `TOPOLOGY=one` or `split` chooses one. `only`: the one that it is about. To be awaited at the top level of a test file.
 */
export async function describeTopologies(
  title: string,
  define: (topology: Topology) => void,
  only?: Topology['name'],
): Promise<void> {
  const { describe, test } = await import('@jest/globals');
  const wanted = process.env['TOPOLOGY'];
  for (const topology of [one, split].filter(({ name }) => only === undefined || name === only)) {
    if (wanted !== undefined && wanted !== topology.name) continue;
    const reason = topology === split ? await noSplit() : undefined;
    if (reason === undefined) describe(`${title} ${topology.title}`, () => define(topology));
    else describe.skip(`${title} ${topology.title}: ${reason}`, () => test('is not run', () => {}));
  }
}

/** As `describeTopologies`, for suites whose separate processes may wait for a long run, or for `TOPOLOGY=split`. */
export const describeTopologiesIfLong = (title: string, define: (topology: Topology) => void): Promise<void> =>
  describeTopologies(title, define, isLongRun || process.env['TOPOLOGY'] === 'split' ? undefined : 'one');

/** As `describeTopologies`, for suites that look at the history of the demo: separate processes have it only with `SPLIT_HISTORY=true`. */
export const describeWithHistory = (title: string, define: (topology: Topology) => void): Promise<void> =>
  describeTopologies(title, define, isHistorySplit ? undefined : 'one');
