import { type Checkpoint, shared, storedJson } from '@lyceum/kernel';
import type { Database } from '@lyceum/sqlite';
import { checkedQuery } from '../collection/condition.ts';
import { collectionKey } from '../collection/declaration.ts';
import { mostTenants } from '../collection/tenants.ts';
import { CheckpointFenced, type Collection, type Document, type Page, type Query } from '../port.ts';
import { lookupOf } from './lookup.ts';
import { selectsOf } from './query.ts';
import { RecentPages } from './pages.ts';
import { RecentRows } from './rows.ts';
import { type Tables, createTables } from './schema.ts';
import type { Statements } from './statements.ts';
import { type PreparedWrite, Writer } from './write.ts';

/** A lane of a source that a collection follows. */
interface Followed {
  readonly source: string;
  readonly lane: number;
}

/**
 * One collection in a database that nobody else writes: what was read lately stays in memory, and changes with what is
 * written. Throws what the engine throws.
 */
export class StoredCollection {
  readonly #collection: Collection;
  readonly #statements: Statements;
  readonly #tables: Tables;
  readonly #writer: Writer;
  readonly #rows = new RecentRows();
  readonly #pages = new RecentPages();
  /** As the open transaction sees them. */
  readonly #checkpoints = new Map<string, Checkpoint>();

  /** Creates what is missing of it. Throws `DeclarationChanged` when it exists with other fields. */
  constructor(database: Database, statements: Statements, collection: Collection) {
    this.#collection = collection;
    this.#statements = statements;
    this.#tables = createTables(database, collection);
    this.#writer = new Writer(database, collection, this.#tables);
  }

  get(tenant: string, id: string): Document | undefined {
    const known = this.#rows.get(tenant, id);
    if (known !== undefined) return storedJson(known);
    const row = this.#statements
      .of(`SELECT body FROM ${this.#tables.documents} WHERE tenant = ? AND id = ?`)
      .get(tenant, id);
    if (!row) return undefined;
    const body = row['body'] as string;
    this.#rows.keep(tenant, id, body);
    return storedJson(body);
  }

  /** Throws `InvalidQuery`. */
  query(tenant: string, query: Query): Page {
    const known = this.#pages.get(tenant, query);
    if (known) return known;
    const checked = checkedQuery(this.#collection, query);
    const rows: { id: string; body: string }[] = [];
    const lookup = lookupOf(this.#collection, this.#tables, tenant, checked, (text, ...values) =>
      Number(this.#statements.of(text).get(...values)?.['entries']),
    );
    for (const { text, values } of selectsOf(this.#collection, this.#tables, tenant, checked, lookup)) {
      const wanted = query.limit + 1 - rows.length;
      if (wanted === 0) break;
      rows.push(...(this.#statements.of(text).all(...values, wanted) as { id: string; body: string }[]));
    }
    const items = rows.slice(0, query.limit).map(({ id, body }) => ({ id, body: storedJson<Document>(body) }));
    const page = shared({ items, more: rows.length > query.limit });
    const length = rows.reduce((sum, { id, body }) => sum + id.length + body.length, 0);
    this.#pages.keep(tenant, query, page, length);
    return page;
  }

  /** Each is found by one look at the index, however many documents it has. */
  tenants(after: string): readonly string[] {
    const next = `SELECT min(tenant) FROM ${this.#tables.documents} WHERE tenant >`;
    const text = `WITH RECURSIVE found(tenant) AS (${next} ? UNION ALL SELECT (${next} found.tenant) FROM found WHERE found.tenant IS NOT NULL)
      SELECT tenant FROM found WHERE tenant IS NOT NULL LIMIT ?`;
    return this.#statements
      .of(text)
      .all(after, mostTenants)
      .map((row) => row['tenant'] as string);
  }

  checkpoint(followed: Followed): Checkpoint {
    const { source, lane } = followed;
    const known = this.#checkpoints.get(nameOf(followed));
    if (known !== undefined) return known;
    const row = this.#statements
      .of('SELECT position, commit_id FROM checkpoint WHERE slot = ? AND source = ? AND lane = ?')
      .get(this.#tables.slot, source, lane);
    const position = (row?.['position'] as number | undefined) ?? 0;
    const commitId = row?.['commit_id'] as string | null | undefined;
    const at = commitId ? { position, commitId } : { position };
    this.#checkpoints.set(nameOf(followed), at);
    return at;
  }

  /** To be called inside a transaction. Throws `CheckpointFenced` when the checkpoint is not at `from`. */
  write(
    followed: Followed,
    { from, to }: { readonly from: number; readonly to: Checkpoint },
    writes: readonly PreparedWrite[],
  ): void {
    const { source, lane } = followed;
    const at = this.checkpoint(followed).position;
    if (at !== from) throw new CheckpointFenced(collectionKey(this.#collection), source, lane, from, at);
    this.#writer.write(writes);
    for (const { tenant, id, body } of writes) {
      this.#rows.replace(tenant, id, body);
      this.#pages.forget(tenant);
    }
    this.#statements
      .of('INSERT OR REPLACE INTO checkpoint (slot, source, lane, position, commit_id) VALUES (?, ?, ?, ?, ?)')
      .run(this.#tables.slot, source, lane, to.position, to.commitId ?? null);
    this.#checkpoints.set(nameOf(followed), to);
  }

  /** Forgets what stays in memory: a transaction was undone. */
  forget(): void {
    this.#checkpoints.clear();
    this.#rows.clear();
    this.#pages.clear();
  }
}

const nameOf = ({ source, lane }: Followed): string => `${source}/${lane}`;
