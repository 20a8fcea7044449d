import { BoundedMap } from '@lyceum/kernel';
import type { Database } from '@lyceum/sqlite';
import { RecentCommits } from '../embedded/recent.ts';
import { idKey } from '../embedded/packed-key.ts';
import { indexing } from './indexing.ts';
import { SqliteTables } from './tables.ts';
import type { CommitStore, LaneHead, StoredCommit } from '../storage/store.ts';

/** Streams whose versions stay in memory. */
const hot = 50_000;

/** Characters of events that are gathered at most before they are indexed. */
const gatheredSize = 8 * 1024 * 1024;

/** Rows of the index that are written for each commit that comes in, more than a commit has, so that it keeps up; and the step. */
const pace = 6;
const step = 64;

/** Commits on their way into the index. */
interface Leaving {
  readonly commits: RecentCommits;
  readonly steps: Generator<void, void, number>;
}

/**
 * A log's file as an engine. Commits are durable as rows, and memory is their index; when enough have gathered, that is
 * written down, a little with each later transaction. Being the only writer makes memory safe.
 */
export class SqliteStore implements CommitStore {
  readonly lanes: number;
  readonly #db: Database;
  readonly #tables: SqliteTables;
  readonly #gather: number;
  readonly #versions = new BoundedMap<string, number>(hot);
  /** False until memory holds what the file holds. */
  #loaded = false;
  #heads: LaneHead[] = [];
  #young = new RecentCommits();
  #leaving: Leaving | undefined;
  /** Commits of the open transaction. */
  #inserted = 0;
  /** The number of the newest row. */
  #row = 0;
  /** No key of an id in the index is greater. */
  #newestId = -1;

  /** The database must have the schema of a log. `gather`: commits that memory is the index of before it is written. */
  constructor(database: Database, lanes: number, gather = 8_192) {
    this.#db = database;
    this.#tables = new SqliteTables(database);
    this.#gather = gather;
    this.lanes = lanes;
    this.#load();
  }

  begin(): void {
    this.#load();
    this.#db.begin();
  }

  insert(commit: StoredCommit): void {
    this.#young.add(commit);
    this.#inserted += 1;
    for (const { id, after } of commit.streams) this.#versions.set(nameOf(commit.tenant, id), after);
    this.#heads[commit.lane] = { position: commit.position, commitId: commit.commitId };
  }

  write(): void {
    const commits = this.#inserted;
    if (commits === 0) return;
    this.#inserted = 0;
    const rows = this.#young.seal(this.#row + 1);
    this.#tables.add(this.#row + 1, rows);
    this.#row += rows.length;
    this.#index(Math.ceil((pace * commits) / step) * step);
  }

  commit(): void {
    this.#db.commit();
  }

  sync(): Promise<void> {
    return this.#db.sync();
  }

  rollback(): void {
    this.#loaded = false;
    try {
      this.#db.rollback();
    } catch {
      // The engine has rolled back by itself. If not, the next BEGIN fails and says so.
    }
  }

  head(lane: number): LaneHead {
    this.#load();
    return this.#heads[lane] ?? { position: 0, commitId: '' };
  }

  version(tenant: string, stream: string): number {
    this.#load();
    const name = nameOf(tenant, stream);
    const known = this.#versions.get(name);
    if (known !== undefined) return known;
    const recent = this.#young.version(tenant, stream) ?? this.#leaving?.commits.version(tenant, stream);
    const version = recent ?? this.#tables.version(tenant, stream);
    this.#versions.set(name, version);
    return version;
  }

  find(tenant: string, commitId: string): StoredCommit | undefined {
    this.#load();
    const recent = this.#young.find(tenant, commitId) ?? this.#leaving?.commits.find(tenant, commitId);
    // A new id sorts after all before it, so it need not be looked up.
    return recent ?? (idKey(commitId) > this.#newestId ? undefined : this.#tables.find(tenant, commitId));
  }

  touching(tenant: string, streams: readonly string[], after: number): readonly StoredCommit[] {
    this.#load();
    const found = new Map<number, StoredCommit>();
    const keep = (commits: readonly StoredCommit[]): void => commits.forEach((each) => found.set(each.position, each));
    for (const stream of streams) {
      // As a rule: the caller has read the rest before.
      if (after > 0 && this.version(tenant, stream) <= after) continue;
      const recent = this.#leaving?.commits.versionBefore(tenant, stream) ?? this.#young.versionBefore(tenant, stream);
      const before = recent ?? this.version(tenant, stream);
      // What is leaving may be in both.
      if (before > after) keep(this.#tables.touching(tenant, stream, after));
      if (this.#leaving) keep(this.#leaving.commits.touching(tenant, stream, after));
      keep(this.#young.touching(tenant, stream, after));
    }
    return [...found.values()].sort((a, b) => a.position - b.position);
  }

  range(lane: number, from: number, limit: number): readonly StoredCommit[] {
    this.#load();
    const found: StoredCommit[] = [];
    const add = (more: readonly StoredCommit[]): void => void found.push(...more);
    const next = (): number => (found.at(-1)?.position ?? from - 1) + 1;
    const recent = this.#leaving ? [this.#leaving.commits, this.#young] : [this.#young];
    if (recent.every((commits) => from < commits.first(lane))) add(this.#tables.range(lane, from, limit));
    for (const commits of recent) if (found.length < limit) add(commits.range(lane, next(), limit - found.length));
    return found;
  }

  close(): void {
    try {
      if (this.#loaded) this.#db.transaction(() => this.#indexAll());
    } catch {
      // The rows have it all: the next start reads them.
    } finally {
      this.#db.close();
    }
  }

  #index(rows: number): void {
    const full = this.#young.count >= this.#gather || this.#young.size >= gatheredSize;
    if (!full) this.#step(rows);
    else {
      // As a rule the ones before have long left.
      this.#stepAll();
      this.#leave();
    }
  }

  #indexAll(): void {
    this.#stepAll();
    if (this.#young.count > 0) this.#leave();
    this.#stepAll();
  }

  #leave(): void {
    const commits = this.#young;
    const steps = indexing(this.#tables, commits, this.#row);
    steps.next();
    this.#newestId = Math.max(this.#newestId, commits.ids.greatest());
    this.#leaving = { commits, steps };
    this.#young = new RecentCommits();
  }

  #stepAll(): void {
    while (this.#leaving) this.#step(Infinity);
  }

  /** One step of writing the index, if anything is leaving. */
  #step(rows: number): void {
    if (!this.#leaving) return;
    if (this.#leaving.steps.next(rows).done) this.#leaving = undefined;
  }

  /** Fills memory from the file: at the start, and after a failure that leaves open what was stored. */
  #load(): void {
    if (this.#loaded) return;
    const last = Array.from({ length: this.lanes }, (_, lane) => this.#tables.last(lane));
    this.#heads = last.map((commit) => ({ position: commit?.position ?? 0, commitId: commit?.commitId ?? '' }));
    this.#young = new RecentCommits();
    this.#leaving = undefined;
    this.#inserted = 0;
    this.#versions.clear();
    this.#newestId = this.#tables.newestId();
    this.#row = this.#tables.lastIndexed();
    for (const { row, commits } of this.#tables.unindexed()) {
      for (const commit of commits) {
        this.#young.add(commit);
        this.#heads[commit.lane] = { position: commit.position, commitId: commit.commitId };
      }
      // One row, as it is stored.
      this.#young.seal(row, Infinity);
      this.#row = row;
    }
    this.#loaded = true;
  }
}

/** Neither a tenant nor a stream can contain NUL (see draft). */
const nameOf = (tenant: string, stream: string): string => `${tenant}\0${stream}`;
