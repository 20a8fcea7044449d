import type { Database } from '@lyceum/sqlite';
import { BoundedMap } from './bounded-map.ts';
import { RecentCommits } from './recent.ts';
import { idKey } from './sqlite-key.ts';
import { moving } from './sqlite-move.ts';
import { SqliteTables } from './sqlite-tables.ts';
import type { CommitStore, LaneHead, StoredCommit } from './store.ts';

/** Streams whose versions stay in memory. */
const hot = 50_000;

/** Characters of events that are gathered at most before they move from the journal. */
const gatheredSize = 8 * 1024 * 1024;

/** Rows that move for each commit that comes in: more than a commit has, so that moving keeps up. */
const pace = 6;
const leastPace = 64;

/** Commits on their way from the journal to the tables. */
interface Leaving {
  readonly commits: RecentCommits;
  readonly steps: Generator<void, void, number>;
}

/**
 * A log's file as an engine. Commits are durable in the journal and readable from memory at once; when enough have
 * gathered, they move to the tables, a little with each later transaction. Being the only writer makes memory safe.
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
  /** Last position of each lane in the tables. */
  #moved: number[] = [];
  #young = new RecentCommits();
  #leaving: Leaving | undefined;
  /** Commits of the open transaction. */
  #inserted = 0;
  #journal = { first: 1, last: 0 };
  /** No key of an id in the tables is greater. */
  #newestId = -1;

  /** The database must have the schema of a log. `gather`: commits that wait in the journal before they move. */
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
    const rows = this.#inserted;
    if (rows === 0) return;
    this.#inserted = 0;
    this.#journal.last += 1;
    this.#tables.addJournal(this.#journal.last, this.#young.seal());
    this.#move(Math.max(leastPace, pace * rows));
  }

  commit(): void {
    this.#db.commit();
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
      const recent = this.#leaving?.commits.versionBefore(tenant, stream) ?? this.#young.versionBefore(tenant, stream);
      const before = recent ?? this.version(tenant, stream);
      // What is moving may be in both.
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
      if (this.#loaded) this.#db.transaction(() => this.#moveAll());
    } catch {
      // The journal has it all: the next start moves it.
    } finally {
      this.#db.close();
    }
  }

  #move(rows: number): void {
    const full = this.#young.count >= this.#gather || this.#young.size >= gatheredSize;
    if (!full) this.#step(rows);
    else {
      // As a rule the ones before have long left.
      this.#stepAll();
      this.#leave();
    }
  }

  #moveAll(): void {
    this.#stepAll();
    if (this.#young.count > 0) this.#leave();
    this.#stepAll();
  }

  #leave(): void {
    const commits = this.#young;
    const { first, last } = this.#journal;
    const steps = moving(this.#tables, { commits, moved: this.#moved, first, last });
    steps.next();
    this.#newestId = Math.max(this.#newestId, commits.ids.greatest());
    this.#leaving = { commits, steps };
    this.#journal = { first: last + 1, last };
    this.#young = new RecentCommits();
  }

  #stepAll(): void {
    while (this.#leaving) this.#step(Infinity);
  }

  /** One step of moving, if anything is leaving. */
  #step(rows: number): void {
    if (!this.#leaving) return;
    if (this.#leaving.steps.next(rows).done) this.#leaving = undefined;
  }

  /** Fills memory from the file: at the start, and after a failure that leaves open what was stored. */
  #load(): void {
    if (this.#loaded) return;
    const last = Array.from({ length: this.lanes }, (_, lane) => this.#tables.last(lane));
    const journal = this.#tables.journal();
    this.#heads = last.map((commit) => ({ position: commit?.position ?? 0, commitId: commit?.commitId ?? '' }));
    this.#moved = this.#heads.map(({ position }) => position);
    this.#young = new RecentCommits();
    this.#leaving = undefined;
    this.#inserted = 0;
    this.#versions.clear();
    this.#newestId = this.#tables.newestId();
    this.#journal = { first: journal[0]?.id ?? 1, last: journal.at(-1)?.id ?? 0 };
    for (const { commits } of journal) {
      for (const commit of commits) {
        this.#young.add(commit);
        this.#heads[commit.lane] = { position: commit.position, commitId: commit.commitId };
      }
      this.#young.seal();
    }
    this.#loaded = true;
  }
}

/** Neither a tenant nor a stream can contain NUL (see draft). */
const nameOf = (tenant: string, stream: string): string => `${tenant}\0${stream}`;
