import { recordOf } from '@lyceum/kernel';
import { startMongo } from '@lyceum/testkit';
import { type RaceResult, raceProcesses } from './race.ts';

/**
 * The long race, after a build: `node libs/tools/crashtest/dist/races/race-long.js [appends=1000000] [processes=8]`, on one
 * MongoDB-wire server of its own, in rounds of about 25,000, each in a fresh database (FerretDB looks through the names of
 * all collections of a database with each command, and whoever replaces a killed process reads all of its lanes). Every
 * lane has three writers; as many callers share an insert as one may hold. Prints a line of figures for each round, with
 * the sum so far, and at last the verdict; exits with 1 when a promise was broken.
 */
const [wanted = 1_000_000, processes = 8] = process.argv.slice(2).map(Number);
const size = 25_000;
const shape = { processes, lanes: 8, callers: 192 };
const figures = [
  ...(['commits', 'acknowledged', 'conflicts', 'unknown', 'unavailable'] as const),
  ...(['kills', 'pauses', 'seconds'] as const),
];
const sum = recordOf(figures, () => 0);
const began = performance.now();
let rounds = 0;
let faults = 0;
const server = await startMongo();
try {
  while (sum.acknowledged < wanted && faults === 0) {
    const appends = Math.ceil(Math.min(size, wanted - sum.acknowledged) / processes);
    print(await raceProcesses({ url: server.url, ...shape, appends, disturb: Math.min(1_500, appends / 2) }));
  }
} finally {
  await server.stop();
}
const verdict = faults > 0 ? 'broken' : 'kept';
const took = Math.round((performance.now() - began) / 1_000);
process.stdout.write(
  `${JSON.stringify({ promises: verdict, server: server.title, ...shape, rounds, ...sum, took })}\n`,
);
process.exitCode = faults > 0 ? 1 : 0;

function print(result: RaceResult): void {
  rounds += 1;
  faults += result.faults.length;
  for (const key of figures) sum[key] += Math.round(result[key]);
  const some = result.faults.slice(0, 10);
  process.stdout.write(`${JSON.stringify({ round: rounds, ...result, faults: some, sofar: sum.acknowledged })}\n`);
}
