import { ConcurrencyConflict, type EventLog, OutcomeUnknown, Unavailable } from '../port.ts';
import { mongodbEventLog } from '../mongodb.ts';
import { noted, sampleAppend } from './sample.ts';

/**
 * One of several processes that race for the same streams and lanes. Arguments: URL, database, lanes, callers, number of
 * appends to acknowledge, number of this process, number of processes, number of processes that share a lane. Prints `open`, then one line for each answer:
 * `ack <lane> <position> <commit id>`, `conflict`, `unknown <commit id>`, `unavailable`; `done` at the end.
 */
const [url, database] = process.argv.slice(2) as [string, string];
const [lanes, callers, count, self, processes, sharing] = process.argv.slice(4).map(Number) as number[] & { length: 6 };
const log = await open();
let left = count!;
const tenants = ownTenants();

/** A server that is busy with the other racers may not answer at once. */
async function open(): Promise<EventLog> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await mongodbEventLog({ url, database, lanes: lanes! });
    } catch (error) {
      if (attempt === 20) throw error;
    }
}

/** Two schools on each lane that this process writes to. */
function ownTenants(): readonly string[] {
  const mine = (lane: number): boolean => (lane - self! + lanes! * processes!) % processes! < sharing!;
  const byLane = new Map<number, string[]>();
  for (let n = 0; n < lanes! * 50; n += 1) {
    const lane = log.laneOf(`school_${n}`);
    const found = byLane.get(lane) ?? [];
    if (mine(lane) && found.length < 2) byLane.set(lane, [...found, `school_${n}`]);
  }
  return [...byLane.values()].flat();
}

/** Half of the appends expect the version that was seen, the others take any; one in four writes two streams. */
async function attempt(random: () => number): Promise<string> {
  const tenant = tenants[Math.floor(random() * tenants.length)]!;
  const stream = `shared-${Math.floor(random() * 4)}`;
  const also = random() < 0.25 ? [noted(`own-${Math.floor(random() * 16)}`)] : [];
  const version = random() < 0.5 ? await seen(log, tenant, stream) : undefined;
  const append = sampleAppend({
    tenant,
    expectations: version === undefined ? [] : [{ stream, version }],
    events: [noted(stream), ...also],
  });
  for (;;)
    try {
      const { commit } = await log.append(append);
      return `ack ${commit.lane} ${commit.position} ${commit.commitId}`;
    } catch (error) {
      if (error instanceof ConcurrencyConflict) return 'conflict';
      if (error instanceof Unavailable) return 'unavailable';
      if (!(error instanceof OutcomeUnknown)) throw error;
      // Half of those that do not know ask again with the same id, as a client with its Idempotency-Key would.
      if (random() < 0.5) return `unknown ${append.commitId}`;
    }
}

const versions = new Map<string, number>();

/** Mostly the version that this process remembers, which another one may have outrun; else a fresh one. */
async function seen(from: EventLog, tenant: string, stream: string): Promise<number> {
  const key = `${tenant} ${stream}`;
  const known = versions.get(key);
  versions.delete(key);
  return known ?? (await from.load(tenant, [stream], Number.MAX_SAFE_INTEGER)).heads[stream]!;
}

async function caller(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const line = await attempt(Math.random).catch((error: unknown) => {
      if (error instanceof Unavailable) return 'unavailable';
      throw error;
    });
    if (!line.startsWith('ack')) left += 1;
    process.stdout.write(`${line}\n`);
  }
}

process.stdout.write('open\n');
await Promise.all(Array.from({ length: callers! }, caller));
process.stdout.write('done\n');
await log.close();
