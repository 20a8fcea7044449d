import type { Archived, ArchiveOptions } from '../sqlite/archive/archiving.ts';
import type { EventLog } from '../port.ts';
import { noted, sampleAppend, wholeLane } from './sample.ts';
import { type SqliteEventLogOptions, sqliteEventLog } from '../sqlite/sqlite.ts';

/** Archives each row by itself, at once and again and again: sample appends are of January 2026. */
export const archiveAll = {
  olderThan: 0,
  clock: { now: () => Date.parse('2026-06-01T00:00:00Z') },
  first: 0,
  every: 1,
  pause: 0,
  together: 1,
  room: 1,
} satisfies ArchiveOptions;

/** Opens a log and waits until it has archived what it can; there must be something. Nothing is archived after that. */
export async function openArchived(
  options: SqliteEventLogOptions,
  change: Partial<ArchiveOptions> = {},
): Promise<EventLog> {
  let log: EventLog | undefined;
  await new Promise<void>((resolve, reject) => {
    const onArchived = (archived: Archived) => {
      change.onArchived?.(archived);
      resolve();
    };
    const archive = { ...archiveAll, every: 1_000_000, onFailed: reject, ...change, onArchived };
    sqliteEventLog({ ...options, archive }).then((opened) => (log = opened), reject);
  });
  return log!;
}

const tenants = ['school_a', 'school_b', 'school_c'];
const streams = ['one', 'two', 'three'];

/** Writes a log of two lanes and closes it. So many commits were appended together and may share a row. */
export async function writeLog(file: string, commits: number, together = 1): Promise<void> {
  const log = await sqliteEventLog({ file, lanes: 2 });
  for (let n = 0; n < commits; n += together)
    await Promise.all(
      Array.from({ length: together }, (_, k) => {
        const events = [noted(streams[(n + k) % 3]!, `note-${n + k}`), noted(`own-${n + k}`)];
        return log.append(sampleAppend({ tenant: tenants[(n + k) % 2]!, commitId: `commit-${n + k}`, events }));
      }),
    );
  await log.close();
}

/** All that any read of a log of `writeLog` can tell. */
export async function readsOf(log: EventLog, commits: number): Promise<unknown> {
  const lanes = await Promise.all(
    Array.from({ length: log.lanes }, async (_, lane) => [
      await log.head(lane),
      await wholeLane(log, lane, 3),
      await log.readLane(lane, Math.floor((await log.head(lane)) / 2), 1_000),
    ]),
  );
  const ids = Array.from({ length: commits + 1 }, (_, n) => `commit-${n}`);
  const found = await Promise.all(
    tenants.flatMap((tenant) => ids.map((id) => log.find(tenant, id).then((commit) => commit?.position))),
  );
  const names = [...streams, 'own-0', `own-${commits - 1}`, 'missing'];
  const loaded = await Promise.all(
    tenants.flatMap((tenant) => [
      log.load(tenant, names),
      ...names.flatMap((name) => [0, 1, 3, 99].map((version) => log.load(tenant, [name], version))),
    ]),
  );
  const observed = tenants.flatMap((tenant) => names.map((name) => log.observeNow!(tenant, name)));
  return JSON.parse(JSON.stringify([lanes, found, loaded, observed]));
}
