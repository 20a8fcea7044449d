import type { Collection } from 'mongodb';
import { BoundedMap } from './bounded-map.ts';
import { chained } from './chain.ts';
import { type LaneIndex, type Touching, headsAfter, keyOf } from './mongodb-lane-index.ts';
import { type CommitRecord, commitOf, idOf } from './mongodb-record.ts';
import type { StoredCommit } from './store.ts';

/** Recent commits of a lane that stay in memory whole, unless their events are longer than `short` characters. */
const kept = 4_000;
const short = 8_192;
/** Positions asked for at once at most. */
const wide = 32;

/**
 * A lane on FerretDB 1.x, which answers every query by scanning the collection; only the look-up by `_id` stays inside
 * its engine and is quick enough to be asked often. So the positions of all streams and commit ids are kept in memory
 * (about 150 bytes for each commit), filled by one scan, and commits are read one by one.
 */
export class ScannedLane implements LaneIndex {
  readonly complete = true;
  readonly #lane: number;
  readonly #records: Collection<CommitRecord>;
  readonly #positions = new Map<string, number[]>();
  readonly #versions = new Map<string, number>();
  readonly #ids = new Map<string, number>();
  readonly #recent = new BoundedMap<number, StoredCommit>(kept);

  constructor(lane: number, records: Collection<CommitRecord>) {
    this.#lane = lane;
    this.#records = records;
  }

  async open(): Promise<StoredCommit | undefined> {
    const found = chained(this.#lane, 0, await this.#scan());
    // The newest one is learned by the caller.
    for (const commit of found.slice(0, -1)) this.learn(commit);
    return found.at(-1);
  }

  async following(position: number): Promise<readonly StoredCommit[]> {
    const found: StoredCommit[] = [];
    // Mostly there is nothing new, or little: each look asks for twice as many as the one before.
    for (let width = 1; ; width = Math.min(2 * width, wide)) {
      const from = position + found.length + 1;
      const more = await Promise.all(Array.from({ length: width }, (_, index) => this.reread(from + index)));
      const missing = more.indexOf(undefined);
      // One that was not there yet when it was asked for hides those after it: they are found the next time.
      found.push(...((missing < 0 ? more : more.slice(0, missing)) as StoredCommit[]));
      if (missing >= 0) return found;
    }
  }

  async range(from: number, limit: number): Promise<readonly StoredCommit[]> {
    const found: StoredCommit[] = [];
    for (let position = from; found.length < limit; position += 1) {
      const commit = this.#recent.get(position) ?? (await this.#fill(position));
      if (!commit) break;
      found.push(commit);
    }
    return found;
  }

  async reread(position: number): Promise<StoredCommit | undefined> {
    const record = await this.#records.findOne({ _id: idOf(position) });
    return record ? commitOf(this.#lane, record) : undefined;
  }

  learn(commit: StoredCommit): void {
    const { tenant, commitId, position, streams } = commit;
    this.#ids.set(keyOf(tenant, commitId), position);
    if (commit.events.length <= short) this.#recent.set(position, commit);
    for (const { id, after } of streams) {
      const key = keyOf(tenant, id);
      this.#versions.set(key, after);
      const positions = this.#positions.get(key);
      if (positions) positions.push(position);
      else this.#positions.set(key, [position]);
    }
  }

  forget(): void {
    for (const memory of [this.#positions, this.#versions, this.#ids, this.#recent]) memory.clear();
  }

  known(tenant: string, stream: string): number {
    return this.#versions.get(keyOf(tenant, stream)) ?? 0;
  }

  async version(tenant: string, stream: string): Promise<number> {
    return this.known(tenant, stream);
  }

  async touching(tenant: string, streams: readonly string[], after: number, head: number): Promise<Touching> {
    const positions = new Set(streams.flatMap((stream) => this.#positions.get(keyOf(tenant, stream)) ?? []));
    const asked = [...positions].filter((position) => position <= head).sort((a, b) => a - b);
    // A stream without snapshots is read whole anyway; with one, only its end is.
    const wanted = after > 0 ? asked.slice(-Math.max(1, this.known(tenant, streams[0]!) - after + 1)) : asked;
    const commits = await Promise.all(wanted.map((position) => this.#at(position)));
    const found = commits.filter((commit) => commit !== undefined);
    return { commits: found, heads: headsAfter(found, streams) };
  }

  remembered(tenant: string, commitId: string): number | undefined {
    return this.#ids.get(keyOf(tenant, commitId));
  }

  async find(tenant: string, commitId: string): Promise<StoredCommit | undefined> {
    const position = this.remembered(tenant, commitId);
    return position === undefined ? undefined : this.#at(position);
  }

  async #at(position: number): Promise<StoredCommit | undefined> {
    return this.#recent.get(position) ?? this.reread(position);
  }

  /** Reads a commit, and with an old one those after it, for whoever asks for it will ask for them. */
  async #fill(position: number): Promise<StoredCommit | undefined> {
    const first = await this.reread(position);
    if (!first || !this.#ids.has(keyOf(first.tenant, first.commitId))) return first;
    if (first.events.length > short || this.#ids.size - position < wide) return first;
    for (const commit of await this.#scan(position + kept - 1))
      if (commit.position >= position && commit.events.length <= short) this.#recent.set(commit.position, commit);
    return first;
  }

  /** The first `limit` commits in order, all when it is 0. The server gives them as they were inserted: by position. */
  async #scan(limit = 0): Promise<readonly StoredCommit[]> {
    const records = await this.#records.find({}, { limit, batchSize: 1_000 }).toArray();
    return records.map((record) => commitOf(this.#lane, record)).sort((a, b) => a.position - b.position);
  }
}
