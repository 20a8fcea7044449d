/** What one side did in one round. */
export interface Round {
  readonly operations: number;
  /** Milliseconds of each operation, where a caller would notice them. */
  readonly latencies?: readonly number[];
  /** What it took of another process that did the work, without what was only preparation. */
  readonly server?: ServerShare;
}

/** What the timed part of a round took of the process that was asked. */
export interface ServerShare {
  readonly milliseconds: number;
  /** Processor time of all its threads, in microseconds. */
  readonly cpu: number;
  /** Resident memory afterwards. */
  readonly megabytes: number;
}

/** A side that has been set up. */
export interface Running {
  /** Works for about this long, or once if the work cannot be cut. */
  round(milliseconds: number): Promise<Round>;
  close(): Promise<void>;
}

/** One of the things compared. */
export interface Side {
  readonly name: string;
  /** `folder` is empty and goes away afterwards. Throws `PeerMissing` when the peer is not installed. */
  open(folder: string): Promise<Running>;
  /** What the first side must reach beside this one. */
  readonly goal?: Goal;
  /** What it is, how durable, and where its work differs: sentences for those who read the page. */
  readonly about?: string;
}

/**
 * Operations of the first side, as a multiple of this side's: per second, or per second of processor time. Or by how many
 * milliseconds the middle of its operations may take longer than that of this side's, or how many times as long the slowest
 * percent may take.
 */
export type Goal =
  | { readonly atLeast: number; readonly per?: 'second' | 'CPU second' }
  | { readonly addsAtMost: number }
  | { readonly p99AtMost: number };

/** A comparison: the first side is ours, and each other one is measured in the same rounds. */
export interface Case {
  readonly name: string;
  /** What an operation is. */
  readonly unit: string;
  readonly sides: readonly [Side, ...Side[]];
  /** What the first side must reach by itself. */
  readonly goals?: Goals;
}

/**
 * Operations per second at least; microseconds of processor time for each at most; milliseconds that half, or 99 %, of the
 * operations may take at most; resident memory at most.
 */
export interface Goals {
  readonly rate?: number;
  readonly cpu?: number;
  readonly p50?: number;
  readonly p99?: number;
  readonly megabytes?: number;
}

/** A peer of `libs/tools/bench/peers` is not installed, or does not run here. */
export class PeerMissing extends Error {
  override readonly name = 'PeerMissing';
}
