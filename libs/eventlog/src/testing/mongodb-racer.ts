import { ConcurrencyConflict, type EventLog, OutcomeUnknown, Unavailable } from '../port.ts';
import { mongodbEventLog } from '../mongodb.ts';
import { noted, sampleAppend } from './sample.ts';

/**
 * One of several processes that race for the same streams and lanes. Arguments: URL, database, lanes, callers, number of
 * appends to acknowledge. Prints `open`, then one line for each answer:
 * `ack <lane> <position> <commit id>`, `conflict`, `unknown <commit id>`, `unavailable`; `done` at the end.
 */
const [url, database, lanes, callers, count] = process.argv.slice(2) as [string, string, string, string, string];
const log = await open();
let left = Number(count);

/** A server that is busy with the other racers may not answer at once. */
async function open(): Promise<EventLog> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await mongodbEventLog({ url, database, lanes: Number(lanes) });
    } catch (error) {
      if (attempt === 20) throw error;
    }
}

/** Half of the appends expect the version that was seen, the others take any; one in four writes two streams. */
async function attempt(random: () => number): Promise<string> {
  const tenant = `school_${Math.floor(random() * Number(lanes) * 2)}`;
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
await Promise.all(Array.from({ length: Number(callers) }, caller));
process.stdout.write('done\n');
await log.close();
