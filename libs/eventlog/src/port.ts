import type { LaneGaps } from './following/lane-gaps.ts';
import type { States } from './folding/states.ts';
import type { DomainEvent, Meta, RecordedEvent } from '@lyceum/kernel';

/** What must be true of a stream for an append to happen: its exact version; 0 means it must not exist. */
export interface Expectation {
  readonly stream: string;
  readonly version: number;
}

/** An event to write, with the version of its data's schema. */
export interface NewEvent extends DomainEvent {
  readonly stream: string;
  readonly schema: number;
}

/** One all-or-nothing write to any number of one tenant's streams. */
export interface Append {
  readonly tenant: string;
  readonly expectations: readonly Expectation[];
  /** At least one. Events of a stream without an expectation are appended at whatever version it has. */
  readonly events: readonly NewEvent[];
  /** UUID. The same id is written once: a repeat answers with the stored commit. */
  readonly commitId: string;
  /** What the caller asked for. A repeat of the id with another fingerprint is refused. */
  readonly fingerprint: string;
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly meta: Meta;
}

/** A stream touched by a commit: its version before and after. */
export interface Touched {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}

/**
 * One commit: the unit of the log, of the outbox and of order. Positions of a lane are contiguous from 1, and position
 * n+1 can exist only after n is visible. `prev` is the id of the commit before it in the lane ('' for the first).
 */
export interface Commit {
  readonly lane: number;
  readonly position: number;
  readonly tenant: string;
  readonly commitId: string;
  readonly prev: string;
  readonly fingerprint: string;
  readonly at: string;
  readonly meta: Meta;
  readonly streams: readonly Touched[];
  readonly events: readonly RecordedEvent[];
}

/** The events of some streams as of one lane position. */
export interface Loaded {
  readonly commits: readonly Commit[];
  /** Version of every requested stream; 0 = does not exist. */
  readonly heads: Readonly<Record<string, number>>;
  readonly lane: number;
  readonly position: number;
}

/** Where a stream is at one lane position. `version` 0: it does not exist. */
export interface Observed {
  readonly version: number;
  readonly lane: number;
  readonly position: number;
}

/** A stream's state after one of its events. */
export interface Snapshot {
  /** Version of the reducer that made the state; another reducer cannot use it. */
  readonly reducer: number;
  /** The stream's version after the last event in it, and that event's id. */
  readonly version: number;
  readonly event: string;
  /** Plain JSON. */
  readonly state: unknown;
}

/**
 * States kept to shorten replays, the newest of each stream. Disposable: a lost or old one costs time, never correctness.
 * The tenant is an argument of every call; no tenant gets another's.
 */
export interface Snapshots {
  load(tenant: string, stream: string): Promise<Snapshot | undefined>;
  save(tenant: string, stream: string, snapshot: Snapshot): Promise<void>;
}

/** The answer to an append. `replayed`: the commit id was already stored, nothing was written now. */
export interface Appended {
  readonly commit: Commit;
  readonly replayed: boolean;
}

/**
 * The append-only log of one service. A tenant lives on one lane, so its events have one total order and a single
 * integer says how fresh a read is. Every call names the tenant or the lane; nothing crosses tenants.
 *
 * Ordering: positions are contiguous per lane. Durability: `append` resolves only after the commit is on stable storage
 * (fsync, or majority acknowledgement). Failure: the classes below, and nothing else.
 */
export interface EventLog {
  /** Where replays may begin; see `withSnapshots`. The log is right without them. */
  readonly snapshots?: Snapshots;
  /** Where replays begin that this process made before; see `withStates`. The log is right without them. */
  readonly states?: States;
  /** Where followers note the gaps that block them. */
  readonly laneGaps?: LaneGaps;
  /** Number of lanes, fixed when the log is created. */
  readonly lanes: number;
  /**
   * Names this epoch of the log: another one begins when it is restored from a backup, because positions that readers have
   * seen may then come to mean other commits. Undefined where the engine keeps none.
   */
  readonly epoch?: string;
  /** Its change signal also comes for commits of other processes, a fraction of a second later: followers need not look often. */
  readonly looksOut?: true;
  /** The lane of a tenant. */
  laneOf(tenant: string): number;
  /** Commits that touch any of the streams, ascending, from after `fromVersion` when one stream is asked for. Throws `Unavailable`. */
  load(tenant: string, streams: readonly string[], fromVersion?: number): Promise<Loaded>;
  /**
   * How far a stream has got, as of now and without waiting: for a caller that knows it up to there; undefined while it is
   * being written. Only an engine in this process that is the log's one writer has it. Throws `Unavailable`.
   */
  readonly observeNow?: (tenant: string, stream: string) => Observed | undefined;
  /** The stored commit with this id, if any. Throws `Unavailable`. */
  find(tenant: string, commitId: string): Promise<Commit | undefined>;
  /** Throws `ConcurrencyConflict`, `IdempotencyMismatch`, `CommitTooLarge`, `Unavailable`, `OutcomeUnknown`. */
  append(append: Append): Promise<Appended>;
  /** Up to `limit` commits after a position, contiguous. Throws `Gap` when a position is missing: readers wait for it and never skip it. */
  readLane(lane: number, after: number, limit: number): Promise<readonly Commit[]>;
  /** Position of the newest commit of a lane; 0 when empty. */
  head(lane: number): Promise<number>;
  /** Best-effort change signal after a lane grew; may be lost or repeated. Returns the function that ends it. */
  wake(listener: (lane: number) => void): () => void;
  /** Finishes what is in flight and releases the engine. */
  close(): Promise<void>;
}

/** Largest commit, in bytes of its events as JSON. */
export const maxCommitBytes = 1024 * 1024;
