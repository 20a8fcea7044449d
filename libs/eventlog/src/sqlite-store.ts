import type { Database } from '@lyceum/sqlite';
import { BoundedMap } from './bounded-map.ts';
import type { Touched } from './port.ts';
import { laneSpan } from './sqlite-schema.ts';
import type { CommitStore, LaneHead, StoredCommit } from './store.ts';

/** Streams and tenants whose heads stay in memory. */
const hot = 50_000;

interface StreamHead {
  /** 0 until the stream has a row. */
  readonly id: number;
  readonly version: number;
}

interface CommitRow extends Omit<StoredCommit, 'lane' | 'position' | 'streams'> {
  readonly id: number;
  readonly streams: string;
}

const columns = `c.id, n.name AS tenant, c.commit_id AS commitId, c.prev, c.fingerprint, c.at, c.meta, c.streams, c.events
  FROM commits c JOIN tenants n ON n.id = c.tenant`;

/** The statements of a log, compiled once. Each read is one point or one range of an index. */
const statements = (db: Database) => ({
  tenant: db.prepare<{ id: number }>('SELECT id FROM tenants WHERE name = ?'),
  addTenant: db.prepare<{ id: number }>('INSERT INTO tenants (name) VALUES (?) RETURNING id'),
  stream: db.prepare<StreamHead>(`SELECT s.id,
    (SELECT t.after FROM touches t WHERE t.stream = s.id ORDER BY t.before DESC LIMIT 1) AS version
    FROM streams s WHERE s.tenant = ? AND s.name = ?`),
  addStream: db.prepare<{ id: number }>('INSERT INTO streams (tenant, name) VALUES (?, ?) RETURNING id'),
  head: db.prepare<{ id: number; commitId: string }>(
    'SELECT id, commit_id AS commitId FROM commits WHERE id > ? AND id < ? ORDER BY id DESC LIMIT 1',
  ),
  find: db.prepare<CommitRow>(`SELECT ${columns} WHERE c.tenant = ? AND c.commit_id = ?`),
  range: db.prepare<CommitRow>(`SELECT ${columns} WHERE c.id >= ? AND c.id < ? ORDER BY c.id LIMIT ?`),
  touching: db.prepare<CommitRow>(`SELECT ${columns} JOIN touches t ON t.commit_row = c.id
    WHERE t.stream = ?1 AND t.after > ?2
      AND t.before >= coalesce((SELECT max(before) FROM touches WHERE stream = ?1 AND before <= ?2), 0)
    ORDER BY t.before`),
  addCommit: db.prepare(`INSERT INTO commits (id, tenant, commit_id, prev, fingerprint, at, meta, streams, events)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, commit_id) DO NOTHING`),
  addTouch: db.prepare('INSERT INTO touches (stream, before, after, commit_row) VALUES (?, ?, ?, ?)'),
});

/** A log's file as an engine. Heads of lanes and of hot streams are kept in memory, which is safe for the only writer. */
export class SqliteStore implements CommitStore {
  readonly lanes: number;
  readonly #db: Database;
  readonly #sql: ReturnType<typeof statements>;
  readonly #laneHeads = new Map<number, LaneHead>();
  readonly #streams = new BoundedMap<string, StreamHead>(hot);
  readonly #tenants = new BoundedMap<string, number>(hot);

  /** The database must have the schema of a log. */
  constructor(database: Database, lanes: number) {
    this.#db = database;
    this.#sql = statements(database);
    this.lanes = lanes;
  }

  begin(): void {
    this.#db.begin();
  }

  commit(): void {
    this.#db.commit();
  }

  rollback(): void {
    this.#laneHeads.clear();
    this.#streams.clear();
    this.#tenants.clear();
    try {
      this.#db.rollback();
    } catch {
      // The engine has rolled back by itself. If not, the next BEGIN fails and says so.
    }
  }

  head(lane: number): LaneHead {
    const cached = this.#laneHeads.get(lane);
    if (cached) return cached;
    const row = this.#sql.head.get(lane * laneSpan, (lane + 1) * laneSpan);
    const head = row ? { position: row.id % laneSpan, commitId: row.commitId } : { position: 0, commitId: '' };
    this.#laneHeads.set(lane, head);
    return head;
  }

  version(tenant: string, stream: string): number {
    return this.#stream(tenant, stream)?.version ?? 0;
  }

  find(tenant: string, commitId: string): StoredCommit | undefined {
    const id = this.#tenant(tenant);
    const row = id === undefined ? undefined : this.#sql.find.get(id, commitId);
    return row && stored(row);
  }

  range(lane: number, from: number, limit: number): readonly StoredCommit[] {
    return this.#sql.range.all(lane * laneSpan + from, (lane + 1) * laneSpan, limit).map(stored);
  }

  touching(tenant: string, streams: readonly string[], after: number): readonly StoredCommit[] {
    const found = new Map<number, CommitRow>();
    for (const name of streams) {
      const stream = this.#stream(tenant, name);
      if (stream && stream.version > after)
        for (const row of this.#sql.touching.all(stream.id, after)) found.set(row.id, row);
    }
    return [...found.values()].sort((a, b) => a.id - b.id).map(stored);
  }

  insert(commit: StoredCommit): boolean {
    const { lane, position, commitId, prev, fingerprint, at, meta, events } = commit;
    const tenant = this.#tenant(commit.tenant) ?? this.#addTenant(commit.tenant);
    const id = lane * laneSpan + position;
    const streams = JSON.stringify(commit.streams.map((touched) => [touched.id, touched.before, touched.after]));
    const { changes } = this.#sql.addCommit.run(id, tenant, commitId, prev, fingerprint, at, meta, streams, events);
    if (changes === 0) return false;
    for (const touched of commit.streams) this.#touch(commit.tenant, tenant, touched, id);
    this.#laneHeads.set(lane, { position, commitId });
    return true;
  }

  close(): void {
    this.#db.close();
  }

  #touch(tenant: string, tenantId: number, { id: name, before, after }: Touched, commit: number): void {
    const stream = this.#stream(tenant, name)?.id || this.#sql.addStream.get(tenantId, name)!.id;
    this.#sql.addTouch.run(stream, before, after, commit);
    this.#streams.set(`${tenant}\0${name}`, { id: stream, version: after });
  }

  #stream(tenant: string, name: string): StreamHead | undefined {
    const key = `${tenant}\0${name}`;
    const cached = this.#streams.get(key);
    if (cached) return cached;
    const tenantId = this.#tenant(tenant);
    if (tenantId === undefined) return undefined;
    const head = this.#sql.stream.get(tenantId, name) ?? { id: 0, version: 0 };
    this.#streams.set(key, head);
    return head;
  }

  #tenant(name: string): number | undefined {
    const cached = this.#tenants.get(name);
    if (cached !== undefined) return cached;
    const row = this.#sql.tenant.get(name);
    if (row) this.#tenants.set(name, row.id);
    return row?.id;
  }

  #addTenant(name: string): number {
    const { id } = this.#sql.addTenant.get(name)!;
    this.#tenants.set(name, id);
    return id;
  }
}

function stored({ id, streams, ...row }: CommitRow): StoredCommit {
  const touched = JSON.parse(streams) as [id: string, before: number, after: number][];
  return {
    ...row,
    lane: Math.floor(id / laneSpan),
    position: id % laneSpan,
    streams: touched.map(([name, before, after]) => ({ id: name, before, after })),
  };
}
