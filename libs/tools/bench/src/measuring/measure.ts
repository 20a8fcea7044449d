import { messageOf } from '@lyceum/kernel';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, type Goal, type Goals, PeerMissing, type Running, type Side } from './case.ts';
import { type Spread, quantile, spread } from './statistics.ts';

/** Length of the round before those that count, as a multiple of theirs. */
const warmUp = 4;

/** How much to measure: one long round to warm up, then as many as said. */
export interface Effort {
  readonly rounds: number;
  readonly milliseconds: number;
}

/** What one side reached, over all rounds. */
export interface SideResult {
  readonly name: string;
  readonly about?: string;
  /** Operations per second. */
  readonly rate: Spread;
  /** Processor time of the process that works, per operation, all threads, in microseconds. */
  readonly cpu: Spread;
  /** Milliseconds, where operations were timed. */
  readonly p50?: Spread;
  readonly p99?: Spread;
  /** Largest resident memory seen after its rounds, of the process that works: where that is this one, all sides share it. */
  readonly megabytes: number;
  /** Ours as a multiple of this side in the same round: of operations per second, and per second of processor time. */
  readonly ratio?: Ratio;
}

/** The first side beside another one, round by round. */
export interface Ratio {
  readonly wall: Spread;
  readonly cpu: Spread;
  /** Milliseconds that the middle of its operations took longer, where operations were timed. */
  readonly added?: Spread;
  /** How many times as long the slowest percent of its operations took, where operations were timed. */
  readonly slowest?: Spread;
  readonly goal?: Goal;
}

/** A case with what was measured. `missing` says why a side could not be. */
export interface CaseResult {
  readonly name: string;
  readonly unit: string;
  readonly rounds: number;
  readonly sides: readonly SideResult[];
  readonly missing: readonly { readonly name: string; readonly why: string }[];
  readonly goals: Goals;
}

interface Sample {
  readonly rate: number;
  readonly cpu: number;
  readonly latencies: readonly number[] | undefined;
  readonly megabytes: number;
}

/** Runs the sides of a case in turns, so that what else the machine does strikes all of them. */
export async function measure(each: Case, { rounds, milliseconds }: Effort): Promise<CaseResult> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-bench-'));
  const opened: { side: Side; running: Running; samples: Sample[] }[] = [];
  const failed = new Set<Side>();
  const missing: { name: string; why: string }[] = [];
  try {
    for (const [index, side] of each.sides.entries())
      try {
        opened.push({ side, running: await side.open(join(folder, String(index))), samples: [] });
      } catch (error) {
        if (!(error instanceof PeerMissing)) throw error;
        missing.push({ name: side.name, why: `not measured: ${error.message}` });
      }
    for (let round = 0; round <= rounds; round += 1)
      for (const { side, running, samples } of opened.filter(({ side }) => !failed.has(side)))
        try {
          const sample = await guarded(() => take(running, round === 0 ? warmUp * milliseconds : milliseconds));
          if (round > 0) samples.push(sample);
        } catch (error) {
          // What is ours must not fail; a peer that does says so beside the others.
          if (side === each.sides[0]) throw error;
          failed.add(side);
          missing.push({ name: side.name, why: `failed in round ${round}: ${messageOf(error)}` });
        }
  } finally {
    for (const { side, running } of opened) {
      const closed = running.close();
      await (failed.has(side) ? closed.catch(() => undefined) : closed);
    }
    await rm(folder, { recursive: true, force: true });
  }
  const ours = opened[0]?.samples;
  const measured = opened.filter(({ side }) => !failed.has(side));
  const sides = measured.map(({ side, samples }, index) => summary(side, samples, index > 0 ? ours : undefined));
  const { name, unit, goals = {} } = each;
  return { name, unit, rounds, sides, missing, goals };
}

/** Also fails with what the work threw where nobody could catch it: a peer may emit an error that it does not listen to. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  let fail: (error: Error) => void = () => undefined;
  const uncaught = new Promise<never>((_, reject) => (fail = reject));
  process.on('uncaughtException', fail);
  try {
    return await Promise.race([work(), uncaught]);
  } finally {
    process.off('uncaughtException', fail);
  }
}

async function take(running: Running, milliseconds: number): Promise<Sample> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const { operations, latencies, server } = await running.round(milliseconds);
  const took = server?.milliseconds ?? performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return {
    rate: (operations / took) * 1_000,
    cpu: (server?.cpu ?? user + system) / operations,
    latencies,
    megabytes: server?.megabytes ?? process.memoryUsage.rss() / 1e6,
  };
}

function summary(side: Side, samples: readonly Sample[], ours: readonly Sample[] | undefined): SideResult {
  const timed = samples.flatMap(({ latencies }) => (latencies ? [latencies] : []));
  const result: SideResult = {
    name: side.name,
    ...(side.about !== undefined && { about: side.about }),
    rate: spread(samples.map(({ rate }) => rate)),
    cpu: spread(samples.map(({ cpu }) => cpu)),
    megabytes: Math.max(...samples.map(({ megabytes }) => megabytes)),
    ...(timed.length > 0 && {
      p50: spread(timed.map((each) => quantile(each, 0.5))),
      p99: spread(timed.map((each) => quantile(each, 0.99))),
    }),
  };
  if (!ours) return result;
  const wall = spread(samples.map(({ rate }, round) => ours[round]!.rate / rate));
  const cpu = spread(samples.map((sample, round) => sample.cpu / ours[round]!.cpu));
  const pairs = samples.flatMap(({ latencies }, round) =>
    latencies && ours[round]!.latencies ? [{ own: ours[round]!.latencies!, its: latencies }] : [],
  );
  const timedBoth = pairs.length > 0 && {
    added: spread(pairs.map(({ own, its }) => quantile(own, 0.5) - quantile(its, 0.5))),
    slowest: spread(pairs.map(({ own, its }) => quantile(own, 0.99) / quantile(its, 0.99))),
  };
  return { ...result, ratio: { wall, cpu, ...timedBoth, ...(side.goal && { goal: side.goal }) } };
}
