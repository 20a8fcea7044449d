import type { MongoConnection } from '@lyceum/mongo';
import { type LaneRecord, LogLane } from './log-lane.ts';
import { type RecordFilter, type StoredRecord, meets } from './record-filter.ts';
import type { Owner } from '../running/task-queue.ts';
import type { Wire } from './wire.ts';

/** Hears of each commit as it is stored. Throws when it must not be there. */
export type OnStored = (lane: number, record: LaneRecord, before: LaneRecord | undefined) => void;

/** The server that keeps the log of one service: as much of a MongoDB-wire server as the log's adapter uses. */
export class LogServer {
  readonly lanes: readonly LogLane[];
  readonly wire: Wire;
  readonly #onStored: OnStored;
  readonly #others = new Map<string, StoredRecord[]>();
  readonly #lost = new Map<() => void, Owner | undefined>();

  constructor(lanes: number, wire: Wire, onStored: OnStored) {
    this.lanes = Array.from({ length: lanes }, () => new LogLane());
    this.wire = wire;
    this.#onStored = onStored;
  }

  /** A connection of a process. */
  connect(owner: Owner | undefined): MongoConnection {
    const connection = {
      engine: 'replica-set',
      database: () => ({ collection: (name: string) => this.#collection(name) }),
      onLost: (listener: () => void) => {
        this.#lost.set(listener, owner);
        return () => void this.#lost.delete(listener);
      },
      release: async () => undefined,
    };
    return connection as unknown as MongoConnection;
  }

  /** Breaks all connections. `within` runs a listener in its process. */
  breakConnections(within: (owner: Owner | undefined, listener: () => void) => void): void {
    for (const [listener, owner] of this.#lost) if (!owner?.dead) within(owner, listener);
  }

  /** Begins another epoch of the log, as whoever restores it should. */
  beginEpoch(): void {
    this.#others.delete('incarnation');
  }

  #collection(name: string): unknown {
    const lane = /^commits_(\d+)$/.exec(name)?.[1];
    if (lane === undefined) return this.#plain(name);
    const number = Number(lane);
    const store = this.lanes[number]!;
    return this.#surface(
      (records) => store.insert(records as readonly LaneRecord[], (...stored) => this.#onStored(number, ...stored)),
      (filter, order, limit) => store.find(filter, order, limit),
    );
  }

  #plain(name: string): unknown {
    const stored = (): StoredRecord[] => this.#others.get(name) ?? [];
    return this.#surface(
      (records) => {
        for (const record of records)
          if (stored().some(({ _id }) => _id === record['_id'])) throw Object.assign(new Error(name), { code: 11_000 });
        this.#others.set(name, [...stored(), ...records]);
      },
      (filter) => stored().filter((record) => meets(record, filter)),
    );
  }

  /** What the driver's collections offer. */
  #surface(
    insert: (records: readonly StoredRecord[]) => void,
    find: (filter: RecordFilter, order: 1 | -1, limit: number) => readonly StoredRecord[],
  ): unknown {
    const { wire } = this;
    return {
      createIndexes: () => Promise.resolve([]),
      insertOne: (record: StoredRecord) => wire.ask('insert', () => insert([record])),
      insertMany: (records: readonly StoredRecord[]) => wire.ask('insert', () => insert(records)),
      findOne: (filter: RecordFilter) => wire.ask('find', () => find(filter, 1, 1)[0] ?? null),
      find(filter: RecordFilter, { limit = 0 }: { limit?: number } = {}) {
        let order: 1 | -1 = 1;
        const cursor = {
          sort: ({ _id }: { _id: 1 | -1 }) => {
            order = _id;
            return cursor;
          },
          toArray: () => wire.ask('find', () => find(filter, order, limit)),
        };
        return cursor;
      },
    };
  }
}
