import { laneOf } from './lane.ts';
import { type EventLog, Gap, Unavailable } from './port.ts';
import { type CommitStore, type StoredCommit, decode } from './store.ts';
import { GroupWriter } from './writer.ts';

/** An event log over an engine inside the process. */
export function embeddedEventLog(store: CommitStore): EventLog {
  const listeners = new Set<(lane: number) => void>();
  const writer = new GroupWriter(store, (lanes) => lanes.forEach((lane) => ring(listeners, lane)));
  let closed = false;

  const read = async <T>(query: () => T): Promise<T> => {
    if (closed) throw new Unavailable('the log is closed');
    try {
      return query();
    } catch (cause) {
      if (cause instanceof Gap) throw cause;
      throw new Unavailable('the log could not be read', { cause });
    }
  };

  return {
    lanes: store.lanes,
    laneOf: (tenant) => laneOf(tenant, store.lanes),
    append: (append) => writer.append(append),
    load: (tenant, streams, fromVersion = 0) =>
      read(() => {
        const lane = laneOf(tenant, store.lanes);
        const after = streams.length === 1 ? fromVersion : 0;
        return {
          commits: store.touching(tenant, streams, after).map(decode),
          heads: Object.fromEntries(streams.map((stream) => [stream, store.version(tenant, stream)])),
          lane,
          position: store.head(lane).position,
        };
      }),
    find: (tenant, commitId) =>
      read(() => {
        const stored = store.find(tenant, commitId);
        return stored && decode(stored);
      }),
    readLane: (lane, after, limit) => read(() => contiguous(store, lane, after, limit).map(decode)),
    head: (lane) => read(() => store.head(lane).position),
    wake(listener) {
      const own = (lane: number): void => listener(lane);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    async close() {
      if (closed) return;
      closed = true;
      writer.close();
      store.close();
    },
  };
}

/** Reads one commit more than asked, the one at `after`: it must exist, and the chain must start from it. */
function contiguous(store: CommitStore, lane: number, after: number, limit: number): readonly StoredCommit[] {
  const rows = store.range(lane, Math.max(after, 1), after > 0 ? limit + 1 : limit);
  if (after > 0 && rows[0]?.position !== after) throw new Gap(lane, after);
  let prev = '';
  rows.forEach((row, index) => {
    const position = Math.max(after, 1) + index;
    const chained = index === 0 && after > 0 ? true : row.prev === prev;
    if (row.position !== position || !chained) throw new Gap(lane, position);
    prev = row.commitId;
  });
  return after > 0 ? rows.slice(1) : rows;
}

/** A doorbell is best effort: a listener that throws must not stop the writer. */
function ring(listeners: ReadonlySet<(lane: number) => void>, lane: number): void {
  for (const listener of listeners)
    try {
      listener(lane);
    } catch {
      continue;
    }
}
