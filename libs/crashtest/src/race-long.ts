import { startMongo } from '@lyceum/testkit';
import { raceProcesses } from './race.ts';

/**
 * The long race, after a build: `node libs/crashtest/dist/race-long.js [appends=1000000] [processes=8]`, in rounds of
 * 100,000 on one MongoDB-wire server of its own. Prints a line of figures for each round and the sum; exits with 1 when
 * a promise was broken.
 */
const [wanted = 1_000_000, processes = 8] = process.argv.slice(2).map(Number);
const round = Math.min(100_000, wanted);
const figures = [
  ...(['commits', 'acknowledged', 'conflicts', 'unknown', 'unavailable'] as const),
  ...(['kills', 'pauses', 'seconds'] as const),
];
const sum = { ...zeros(), faults: 0 };
const server = await startMongo();
try {
  while (sum.acknowledged < wanted && sum.faults === 0) {
    const appends = Math.ceil(round / processes);
    const disturb = Math.min(8_000, appends / 3);
    const result = await raceProcesses({ url: server.url, processes, appends, lanes: 16, callers: 32, disturb });
    for (const key of figures) sum[key] += result[key];
    sum.faults += result.faults.length;
    process.stdout.write(`${JSON.stringify({ ...result, faults: result.faults.slice(0, 10) })}\n`);
  }
} finally {
  await server.stop();
}
process.stdout.write(`${JSON.stringify({ server: server.title, processes, ...sum })}\n`);
process.exitCode = sum.faults > 0 ? 1 : 0;

function zeros(): Record<(typeof figures)[number], number> {
  return Object.fromEntries(figures.map((figure) => [figure, 0])) as ReturnType<typeof zeros>;
}
