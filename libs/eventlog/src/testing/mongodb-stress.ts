import { randomUUID } from 'node:crypto';
import { race } from './mongodb-race.ts';

/**
 * A long race by hand or by a script, after a build:
 * `node libs/eventlog/dist/testing/mongodb-stress.js <url> [processes=8] [appends=2000] [lanes=16] [callers=32] [disturb=20000]
 * [sharing=2]`. The server answers for each commit that a process has not written itself, so `sharing` decides about the time.
 * Prints one JSON line; exits 1 when a promise was broken.
 */
const [url, ...given] = process.argv.slice(2);
if (!url) throw new Error('which server? mongodb://host:port/');
const [processes = 8, appends = 2_000, lanes = 16, callers = 32, disturb = 20_000, sharing = 2] = given.map(Number);
const database = `race_${randomUUID().slice(0, 8)}`;
const raced = await race({ url, database, processes, appends, lanes, callers, disturb, sharing });
const perSecond = Math.round(raced.acknowledged / raced.seconds);
process.stdout.write(`${JSON.stringify({ database, ...raced, faults: raced.faults.slice(0, 20), perSecond })}\n`);
process.exitCode = raced.faults.length > 0 ? 1 : 0;
