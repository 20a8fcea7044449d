import { type Meta, type RecordedEvent, storedJson } from '@lyceum/kernel';
import { Damaged } from '../errors.ts';
import type { Commit, Touched } from '../port.ts';

/** A commit as an embedded engine keeps it: meta data and events are JSON text (see `Draft`). */
export interface StoredCommit {
  readonly lane: number;
  readonly position: number;
  readonly tenant: string;
  readonly commitId: string;
  readonly prev: string;
  readonly fingerprint: string;
  readonly at: string;
  readonly meta: string;
  readonly streams: readonly Touched[];
  readonly events: string;
}

/** The newest commit of a lane; position 0 and commit id '' when the lane is empty. */
export interface LaneHead {
  readonly position: number;
  readonly commitId: string;
}

/**
 * An engine inside the process, used by one writer only. Synchronous, so nothing can come between a check and a write.
 * Any throw means that the engine failed; reads see what the open transaction has written.
 */
export interface CommitStore {
  readonly lanes: number;
  begin(): void;
  /** Hands what was inserted to the engine. A throw means that nothing of it is stored. */
  write(): void;
  /** Ends the open transaction: it outlives this process, and after `sync` a loss of power, too. */
  commit(): void;
  /** Resolves when all that was committed is on stable storage. A rejection leaves open whether it ever will be. */
  sync(): Promise<void>;
  /** Undoes the open transaction, and forgets every cached head. Never throws. */
  rollback(): void;
  head(lane: number): LaneHead;
  /** Version of a stream; 0 = does not exist. */
  version(tenant: string, stream: string): number;
  find(tenant: string, commitId: string): StoredCommit | undefined;
  /** Adds a commit to the open transaction: the next of its lane, with an id that the tenant does not have. */
  insert(commit: StoredCommit): void;
  /** Commits that touch any of the streams after the version, in lane order, each once. */
  touching(tenant: string, streams: readonly string[], after: number): readonly StoredCommit[];
  /** Up to `limit` commits of a lane from a position on, ascending. */
  range(lane: number, from: number, limit: number): readonly StoredCommit[];
  close(): void;
}

/** Whether a commit writes a stream beyond a version. */
export const touches = (commit: Pick<Commit, 'streams'>, stream: string, after: number): boolean =>
  commit.streams.some((touched) => touched.id === stream && touched.after > after);

/** The commit that a stored one stands for. Its meta data and events are parsed when they are first asked for. */
export const decode = (stored: StoredCommit): Commit => new Decoded(stored);

/** One class, and getters that all its objects share: a log hands out many, of which few are looked into. */
class Decoded implements Commit {
  readonly lane: number;
  readonly position: number;
  readonly tenant: string;
  readonly commitId: string;
  readonly prev: string;
  readonly fingerprint: string;
  readonly at: string;
  readonly streams: readonly Touched[];
  declare readonly meta: Meta;
  declare readonly events: readonly RecordedEvent[];
  readonly #stored: StoredCommit;
  #meta: Meta | undefined;
  #events: readonly RecordedEvent[] | undefined;

  constructor(stored: StoredCommit) {
    this.lane = stored.lane;
    this.position = stored.position;
    this.tenant = stored.tenant;
    this.commitId = stored.commitId;
    this.prev = stored.prev;
    this.fingerprint = stored.fingerprint;
    this.at = stored.at;
    this.streams = stored.streams;
    this.#stored = stored;
    // Properties of the object itself, so that a copy of it has them too.
    Object.defineProperty(this, 'meta', Decoded.#lazyMeta);
    Object.defineProperty(this, 'events', Decoded.#lazyEvents);
  }

  static readonly #lazyMeta: PropertyDescriptor & ThisType<Decoded> = {
    enumerable: true,
    get() {
      return (this.#meta ??= opened(this.#stored, ({ meta }) => storedJson<Meta>(meta)));
    },
  };

  static readonly #lazyEvents: PropertyDescriptor & ThisType<Decoded> = {
    enumerable: true,
    get() {
      return (this.#events ??= opened(this.#stored, recorded));
    },
  };
}

/** A part of a commit that was stored. Throws `Damaged`. */
function opened<T>(stored: StoredCommit, part: (stored: StoredCommit) => T): T {
  try {
    return part(stored);
  } catch {
    throw new Damaged(stored.lane, stored.position);
  }
}

function recorded({ commitId, streams, events }: StoredCommit): readonly RecordedEvent[] {
  const versions = streams.map((touched) => touched.before);
  const rows = storedJson<[place: number, type: string, schema: number, data: unknown][]>(events);
  return rows.map(([place, type, schema, data], index) => {
    const version = versions[place]! + 1;
    versions[place] = version;
    return { id: `${commitId}.${index + 1}`, stream: streams[place]!.id, version, type, schema, data };
  });
}
