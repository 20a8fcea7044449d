import type { StoredCommit } from '../storage/store.ts';

/**
 * How one lane is read, and what of it is remembered. What is learned must be the lane's commits in order. `head` is a
 * position that the caller has learned up to: later commits are left out.
 */
export interface LaneIndex {
  /** Whether every commit id is remembered once learned: then what is not remembered is not stored. */
  readonly complete: boolean;
  /** Stores commits in this order, up to the first one that fails. Resolves when all are durable. */
  insert(commits: readonly StoredCommit[]): Promise<void>;
  /** The newest commit, for a beginning without memory. Learns whatever the index needs to know of those before it. */
  open(): Promise<StoredCommit | undefined>;
  /** Commits that follow a position, without a hole but for those learned meanwhile. */
  following(position: number): Promise<Following>;
  /** Up to `limit` commits from a position on, ascending. */
  range(from: number, limit: number): Promise<readonly StoredCommit[]>;
  /** One commit, read anew. */
  reread(position: number): Promise<StoredCommit | undefined>;
  learn(commit: StoredCommit): void;
  forget(): void;
  /** Version of a stream as far as learned; 0 = does not exist. */
  version(tenant: string, stream: string, head: number): Promise<number>;
  /** Version of a stream, when it is remembered. */
  known(tenant: string, stream: string): number | undefined;
  /** Commits that touch any of the streams after the version, in lane order, each once; and all streams' versions. */
  touching(tenant: string, streams: readonly string[], after: number, head: number): Promise<Touching>;
  /** Position of a commit id, when it is remembered. */
  remembered(tenant: string, commitId: string): number | undefined;
  find(tenant: string, commitId: string): Promise<StoredCommit | undefined>;
}

/** Commits that a look at the end of a lane found. */
export interface Following {
  readonly commits: readonly StoredCommit[];
  /** There were no others when it was asked for them. */
  readonly end: boolean;
}

/** What streams look like at one position. */
export interface Touching {
  readonly commits: readonly StoredCommit[];
  readonly heads: ReadonlyMap<string, number>;
}

/** Neither a tenant nor a name can contain NUL (see `draft`). */
export const keyOf = (tenant: string, name: string): string => `${tenant}\0${name}`;

/** The versions after the last of the commits that touches each stream. */
export function headsAfter(commits: readonly StoredCommit[], streams: readonly string[]): Map<string, number> {
  const heads = new Map<string, number>();
  const wanted = new Set(streams);
  for (const commit of commits) for (const { id, after } of commit.streams) if (wanted.has(id)) heads.set(id, after);
  return heads;
}
