import type { StoredCommit } from '../storage/store.ts';

/** Commits that are written and on their way to stable storage: until they are there, nobody is told of them. */
export class InFlight {
  readonly #streams = new Set<string>();
  /** The position before the first of them, by lane. */
  readonly #before = new Map<number, number>();
  /** Resolves when they are on stable storage. Rejects when they could not be brought there. */
  readonly durable: Promise<void>;

  constructor(commits: readonly StoredCommit[], durable: Promise<void>) {
    this.durable = durable;
    for (const { tenant, lane, position, streams } of commits) {
      if (!this.#before.has(lane)) this.#before.set(lane, position - 1);
      for (const { id } of streams) this.#streams.add(nameOf(tenant, id));
    }
  }

  /** Whether one of them is in the lane, from a position on. */
  reaches(lane: number, position = Infinity): boolean {
    return position > (this.#before.get(lane) ?? Infinity);
  }

  /** Whether one of them writes the stream. */
  touches(tenant: string, stream: string): boolean {
    return this.#streams.has(nameOf(tenant, stream));
  }

  /** The newest position of a lane that is on stable storage; undefined when none of them is in it. */
  headBefore(lane: number): number | undefined {
    return this.#before.get(lane);
  }
}

/** Neither a tenant nor a stream can contain NUL (see draft). */
const nameOf = (tenant: string, stream: string): string => `${tenant}\0${stream}`;
