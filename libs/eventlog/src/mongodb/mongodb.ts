import { type MongoConnection, type MongoEngine, type MongoOptions, inTime, openMongo } from '@lyceum/mongo';
import type { Collection, Db } from 'mongodb';
import { chained } from '../storage/chain.ts';
import { ChangeListeners } from '../storage/change-listeners.ts';
import { draft } from '../storage/draft.ts';
import { laneOf } from '../lane.ts';
import { Lane } from './mongodb-lane.ts';
import { ChangePoller } from './change-poller.ts';
import type { LogSignals } from './log-signals.ts';
import type { LaneIndex } from './lane-index.ts';
import { epochIn, openLanes, storedEpoch } from './schema.ts';
import { LaneWriter } from './mongodb-writer.ts';
import { Gap, Unavailable } from '../errors.ts';
import type { Append, Appended, Commit, EventLog, Loaded } from '../port.ts';
import { decode } from '../storage/store.ts';

/** Where the log lives: a database of its own for each service. */
export interface MongodbEventLogOptions extends MongoOptions {
  readonly database: string;
  /** Fixed when the log is created (16 when not given); must match it later. */
  readonly lanes?: number;
  /** How the log is kept and read; found out from the server when not given. */
  readonly engine?: MongoEngine;
  /** By which the processes of the log tell each other that it grew; without them they look more often. */
  readonly signals?: LogSignals;
}

/**
 * An event log on a MongoDB-wire server, for any number of processes at once: one collection per lane, one document per
 * commit, never changed. An append is acknowledged by a majority, journaled. While the server is away, appends and reads
 * throw within 3 seconds; nothing needs a restart when it is back. Commits of other processes give the change signal when
 * they are signalled, or found: they are looked for a few times a second, where signals arrive each two seconds.
 * Throws `Unavailable` when no server answers, `LogUnfit` when the log was created with other lanes.
 */
export async function mongodbEventLog(options: MongodbEventLogOptions): Promise<EventLog> {
  const connection = await openMongo(options).catch((cause: unknown) => {
    throw new Unavailable('no MongoDB-wire server answers', { cause });
  });
  try {
    const db = connection.database(options.database);
    const engine = options.engine ?? connection.engine;
    const lanes = await openLanes(db, engine, options.lanes);
    return new MongodbEventLog(connection, db, engine, lanes, await epochIn(db), options.signals);
  } catch (error) {
    await connection.release();
    throw error;
  }
}

interface Part {
  readonly lane: Lane;
  readonly writer: LaneWriter;
  /** Commits up to here survive a crash of a server that stands alone. */
  journaled: number;
}

class MongodbEventLog implements EventLog {
  readonly lanes: number;
  readonly epoch: string;
  readonly looksOut = true;
  readonly #connection: MongoConnection;
  readonly #engine: MongoEngine;
  readonly #db: Db;
  readonly #barriers: Collection;
  readonly #parts: readonly Part[];
  readonly #changeListeners = new ChangeListeners();
  readonly #changePoller: ChangePoller;
  readonly #signals: LogSignals | undefined;
  readonly #unsubscribe: () => void;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(
    connection: MongoConnection,
    db: Db,
    engine: MongoEngine,
    lanes: readonly LaneIndex[],
    epoch: string,
    signals?: LogSignals,
  ) {
    this.lanes = lanes.length;
    this.epoch = epoch;
    this.#connection = connection;
    this.#engine = engine;
    this.#db = db;
    this.#signals = signals;
    this.#barriers = db.collection('barrier');
    this.#parts = lanes.map((index, number) => this.#part(index, number));
    this.#changePoller = new ChangePoller({
      lanes: lanes.length,
      look: (lane) => this.head(lane),
      ring: (lane) => this.#changeListeners.ring(lane),
      ...(signals && { signals }),
    });
    this.#unsubscribe = connection.onLost(() => this.#parts.forEach(({ lane }) => lane.distrust()));
  }

  laneOf(tenant: string): number {
    return laneOf(tenant, this.lanes);
  }

  async append(append: Append): Promise<Appended> {
    if (this.#closed) throw new Unavailable('the log is closed');
    const drafted = draft(append);
    return this.#parts[this.laneOf(append.tenant)]!.writer.append(drafted);
  }

  load(tenant: string, streams: readonly string[], fromVersion = 0): Promise<Loaded> {
    return this.#read(this.laneOf(tenant), async ({ lane }) => {
      const { position } = await lane.refresh();
      const after = streams.length === 1 ? fromVersion : 0;
      const { commits, heads } = await lane.index.touching(tenant, streams, after, position);
      const later = commits.filter((commit) => commit.streams.some((t) => t.after > after && streams.includes(t.id)));
      const versions = Object.fromEntries(streams.map((stream) => [stream, heads.get(stream) ?? 0]));
      return { commits: later.map(decode), heads: versions, lane: lane.number, position };
    });
  }

  find(tenant: string, commitId: string): Promise<Commit | undefined> {
    return this.#read(this.laneOf(tenant), async ({ lane }) => {
      if (lane.index.complete) await lane.refresh();
      const stored = await lane.index.find(tenant, commitId);
      return stored && decode(stored);
    });
  }

  readLane(lane: number, after: number, limit: number): Promise<readonly Commit[]> {
    return this.#read(lane, async (part) => {
      const rows = await part.lane.index.range(Math.max(after, 1), after > 0 ? limit + 1 : limit);
      if (rows.length === 0) await part.lane.expect(after);
      const commits = chained(lane, after, rows);
      await this.#flush(part, commits.at(-1)?.position ?? 0);
      return commits.map(decode);
    });
  }

  head(lane: number): Promise<number> {
    return this.#read(lane, async (part) => (await part.lane.refresh()).position);
  }

  wake(listener: (lane: number) => void): () => void {
    this.#changePoller.start();
    return this.#changeListeners.listen(listener);
  }

  close(): Promise<void> {
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  async #finish(): Promise<void> {
    await this.#changePoller.stop();
    await Promise.all(this.#parts.map(({ writer }) => writer.idle()));
    this.#unsubscribe();
    await this.#connection.release();
  }

  #part(index: LaneIndex, number: number): Part {
    const lane = new Lane(number, index, async () => (await storedEpoch(this.#db)) === this.epoch);
    const part: Part = {
      lane,
      writer: new LaneWriter(lane, {
        insert: async (commits) => {
          await index.insert(commits);
          part.journaled = commits.at(-1)!.position;
          this.#changePoller.report(number, part.journaled);
          this.#signals?.tell(number, part.journaled);
        },
        grown: () => this.#changeListeners.ring(number),
        turn: (work) => this.#turn(work),
      }),
      journaled: 0,
    };
    return part;
  }

  /**
   * FerretDB on SQLite has one writer at a time for a whole database, and lets the others sleep rather than queue: the
   * lanes of this process take turns there. Elsewhere they write side by side.
   */
  #turn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#engine !== 'ferretdb-1') return work();
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /**
   * What is read may be published, so it must not vanish. Majority reads see to that on a replica set; a server that
   * stands alone shows commits before they are journaled, so one journaled write follows before they are given out.
   */
  async #flush(part: Part, position: number): Promise<void> {
    if (this.#engine !== 'standalone' || position <= part.journaled) return;
    await this.#barriers.replaceOne({ _id: 'barrier' as never }, { position }, { upsert: true, ...inTime() });
    part.journaled = Math.max(part.journaled, position);
  }

  async #read<T>(lane: number, work: (part: Part) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Unavailable('the log is closed');
    const part = this.#parts[lane];
    if (!part) throw new RangeError(`the log has no lane ${lane}`);
    try {
      return await work(part);
    } catch (cause) {
      if (cause instanceof Gap) throw cause;
      part.lane.distrust();
      throw new Unavailable('the log could not be read', { cause });
    }
  }
}
