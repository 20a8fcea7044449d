import { chained } from '../storage/chain.ts';
import { ChangeListeners } from '../storage/change-listeners.ts';
import { laneOf } from '../lane.ts';
import { Gap, Unavailable } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { type CommitStore, type StoredCommit, decode } from '../storage/store.ts';
import type { InFlight } from './in-flight.ts';
import { GroupWriter } from './writer.ts';

/** Does something in a transaction of its own. Resolves when that is on stable storage. */
type InTurn = (work: () => void) => Promise<void>;

/** Work on the engine that nobody asked the log for. It begins with the log; closing ends it. */
export type Maintenance = (inTurn: InTurn) => { close(): Promise<void> };

/** An event log over an engine inside the process. */
export function embeddedEventLog(store: CommitStore, maintenance?: Maintenance): EventLog {
  const changeListeners = new ChangeListeners();
  const writer = new GroupWriter(store, (lanes) => lanes.forEach((lane) => changeListeners.ring(lane)));
  const maintaining = maintenance?.((work) => writer.between(work));
  let closed = false;

  const look = <T>(query: () => T, isLane = false): T => {
    if (closed) throw new Unavailable('the log is closed');
    try {
      return query();
    } catch (cause) {
      if (isLane && cause instanceof Gap) throw cause;
      throw new Unavailable('the log could not be read', { cause });
    }
  };

  /** What a query finds at the moment of the call, told when it is on stable storage. */
  const read = async <T>(query: () => T, isTold: (found: T, inFlight: InFlight) => boolean, isLane = false) => {
    const found = look(query, isLane);
    const { inFlight } = writer;
    if (inFlight && !isTold(found, inFlight)) await inFlight.durable;
    return found;
  };

  /** The newest position of a lane that is on stable storage. */
  const durableHead = (lane: number): number => writer.inFlight?.headBefore(lane) ?? store.head(lane).position;

  return {
    lanes: store.lanes,
    laneOf: (tenant) => laneOf(tenant, store.lanes),
    append: (append) => writer.append(append),
    load: (tenant, streams, fromVersion = 0) =>
      read(
        () => {
          const lane = laneOf(tenant, store.lanes);
          const after = streams.length === 1 ? fromVersion : 0;
          return {
            commits: store.touching(tenant, streams, after).map(decode),
            heads: Object.fromEntries(streams.map((stream) => [stream, store.version(tenant, stream)])),
            lane,
            position: store.head(lane).position,
          };
        },
        (_, inFlight) => !streams.some((stream) => inFlight.touches(tenant, stream)),
      ),
    observeNow: (tenant, stream) =>
      look(() => {
        if (writer.inFlight?.touches(tenant, stream)) return undefined;
        const lane = laneOf(tenant, store.lanes);
        return { version: store.version(tenant, stream), lane, position: durableHead(lane) };
      }),
    find: (tenant, commitId) =>
      read(
        () => {
          const stored = store.find(tenant, commitId);
          return stored && decode(stored);
        },
        (found, inFlight) => !found || !inFlight.reaches(found.lane, found.position),
      ),
    readLane: (lane, after, limit) =>
      read(
        () => contiguous(store, lane, after, limit).map(decode),
        (found, inFlight) => !inFlight.reaches(lane, found.at(-1)?.position ?? 0),
        true,
      ),
    head: (lane) =>
      read(
        () => store.head(lane).position,
        (_, inFlight) => !inFlight.reaches(lane),
      ),
    wake: (listener) => changeListeners.listen(listener),
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all([writer.close(), maintaining?.close()]);
      store.close();
    },
  };
}

/** Reads one commit more than asked, the one at `after`: it must exist, and the chain must start from it. */
const contiguous = (store: CommitStore, lane: number, after: number, limit: number): readonly StoredCommit[] =>
  chained(lane, after, store.range(lane, Math.max(after, 1), after > 0 ? limit + 1 : limit));
