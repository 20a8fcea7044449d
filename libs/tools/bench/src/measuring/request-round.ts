import type { Round } from './case.ts';
import { usageOf } from './process-usage.ts';
import { callers } from './workload.ts';

/** Asks a server for so many milliseconds over so many connections, and gives what its process used for the answers. */
export async function requestRound(
  pid: number,
  connections: number,
  milliseconds: number,
  ask: () => Promise<void>,
): Promise<Round> {
  const [before, began] = [await usageOf(pid), performance.now()];
  const latencies = await callers(connections, milliseconds, ask);
  const took = performance.now() - began;
  const { cpu, megabytes } = await usageOf(pid);
  return {
    operations: latencies.length,
    latencies,
    server: { milliseconds: took, cpu: cpu - before.cpu, megabytes },
  };
}
