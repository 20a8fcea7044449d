import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConcurrencyConflict, type EventLog, OutcomeUnknown, Unavailable, mongodbEventLog } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';

/**
 * One of several processes that race for the same streams and lanes of a MongoDB-wire server. Arguments: URL, database,
 * lanes, callers, appends to get acknowledged, then its own number, how many race, and how many share a lane. Prints a
 * line for each answer: `ack <lane> <position> <commit id>`, `conflict <commit id>`, `unavailable <commit id>`, both of
 * which say that it is not there, or `unknown`; and `stale <what>` for a read that lacks what was acknowledged or read before.
 */
const [url, database, ...given] = process.argv.slice(2) as [string, string, ...string[]];
const [lanes, callers, count, self, racers, sharing] = given.map(Number) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/** A server that is busy with the other racers may not answer at once. */
async function opened(): Promise<EventLog> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await mongodbEventLog({ url, database, lanes });
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt === 20) throw error;
    }
}

const log = await opened();
const isMine = (tenant: string): boolean => (log.laneOf(tenant) - self + lanes * racers) % racers < sharing;
const tenants = Array.from({ length: lanes * 4 }, (_, n) => `school_${n}`).filter(isMine);
const versions = new Map<string, number>();
/** The highest version of each stream that this process was answered, or has read. */
const highest = new Map<string, number>();
const saw = (key: string, version: number): unknown => highest.set(key, Math.max(version, highest.get(key) ?? 0));
let left = count;

const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;

/** One append in four expects the version that was seen, mostly an old one; one in four writes a second stream. */
async function attempt(): Promise<string> {
  const tenant = pick(tenants);
  const names = [`shared-${pick([0, 1, 2, 3])}`, ...(Math.random() < 0.25 ? [`other-${pick([0, 1, 2, 3])}`] : [])];
  const stream = names[0]!;
  const expectations = Math.random() < 0.25 ? [{ stream, version: await seen(tenant, stream) }] : [];
  const events = names.map((name) => ({ stream: name, type: 'Raced', schema: 1, data: { self } }));
  const asked = { tenant, expectations, events, commitId: randomUUID(), fingerprint: '', meta: { actor: 'racer' } };
  for (let isKnown = true; ; isKnown = false)
    try {
      const { commit } = await log.append({ ...asked, at: isoTime(Date.now()) });
      const { after } = commit.streams.find(({ id }) => id === stream)!;
      versions.set(`${tenant} ${stream}`, after);
      saw(`${tenant} ${stream}`, after);
      return `ack ${commit.lane} ${commit.position} ${commit.commitId}`;
    } catch (error) {
      // After an outcome that is not known, an answer says of the second try only that it wrote nothing.
      const id = isKnown ? ` ${asked.commitId}` : '';
      if (error instanceof ConcurrencyConflict) return `conflict${id}`;
      if (error instanceof Unavailable) return `unavailable${id}`;
      if (!(error instanceof OutcomeUnknown)) throw error;
      // Half of those that do not know ask again with the same id, as a client with its Idempotency-Key would.
      if (Math.random() < 0.5) return 'unknown';
    }
}

/** The version that this process wrote last, which another one may have outrun; else a fresh one. */
async function seen(tenant: string, stream: string): Promise<number> {
  const key = `${tenant} ${stream}`;
  const known = versions.get(key);
  versions.delete(key);
  if (known !== undefined) return known;
  const wanted = highest.get(key) ?? 0;
  const found = (await log.load(tenant, [stream], Number.MAX_SAFE_INTEGER)).heads[stream]!;
  if (found < wanted) process.stdout.write(`stale ${key} was read at ${found} after ${wanted}\n`);
  saw(key, found);
  return found;
}

async function caller(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const line = await attempt().catch((error: unknown) => {
      if (error instanceof Unavailable) return 'unavailable';
      throw error;
    });
    if (!line.startsWith('ack')) left += 1;
    if (line.startsWith('unavailable')) await pause(20);
    process.stdout.write(`${line}\n`);
  }
}

await Promise.all(Array.from({ length: callers }, caller));
await log.close();
