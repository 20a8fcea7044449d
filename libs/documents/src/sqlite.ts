import { setTimeout as pause } from 'node:timers/promises';
import { shared } from '@lyceum/kernel';
import { type Database, type Statement, openDatabase } from '@lyceum/sqlite';
import { checkedQuery } from './condition.ts';
import { checkDeclaration, collectionKey } from './declaration.ts';
import { checkKeys } from './fields.ts';
import {
  CheckpointFenced,
  type Collection,
  DeclarationChanged,
  type Document,
  type Documents,
  DocumentsUnavailable,
  type Page,
  type Query,
  type Write,
} from './port.ts';
import { RecentPages } from './sqlite-pages.ts';
import { RecentRows } from './sqlite-rows.ts';
import { selectsOf } from './sqlite-query.ts';
import { type Tables, createCatalogue, createTables, dropTables } from './sqlite-schema.ts';
import { Transactions } from './sqlite-transactions.ts';
import { type PreparedWrite, Writer, prepareWrite } from './sqlite-write.ts';
import { Waiters } from './waiters.ts';

interface Open {
  readonly tables: Tables;
  readonly writer: Writer;
  readonly rows: RecentRows;
  readonly pages: RecentPages;
}

/** Shapes of queries kept compiled; code has few, but a long list of conditions may come from a client. */
const mostStatements = 500;

const waiterKey = (collection: Collection, source: string, lane: number): string =>
  `${collectionKey(collection)} ${source}/${lane}`;

class SqliteDocuments implements Documents {
  readonly exclusive = true;
  readonly #database: Database;
  readonly #collections = new Map<string, Open>();
  readonly #statements = new Map<string, Statement>();
  readonly #transactions: Transactions;
  /** Checkpoints as the open transaction sees them; nobody else writes. */
  readonly #checkpoints = new Map<string, number>();
  readonly #waiters = new Waiters();
  #scrubbing: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#transactions = new Transactions(database, () => {
      this.#checkpoints.clear();
      for (const { rows, pages } of this.#collections.values()) {
        rows.clear();
        pages.clear();
      }
    });
  }

  async open(collection: Collection): Promise<void> {
    checkDeclaration(collection);
    this.#use(() => {
      const tables = createTables(this.#database, collection);
      const writer = new Writer(this.#database, collection, tables);
      const recent = { rows: new RecentRows(), pages: new RecentPages() };
      this.#collections.set(collectionKey(collection), { tables, writer, ...recent });
    });
  }

  async drop(collection: Collection): Promise<void> {
    checkDeclaration(collection);
    this.#use(() => dropTables(this.#database, collection));
    this.#collections.delete(collectionKey(collection));
    this.#statements.clear();
    this.#checkpoints.clear();
  }

  async checkpoint(collection: Collection, source: string, lane: number): Promise<number> {
    return this.#checkpoint(collection, source, lane);
  }

  async apply(
    collection: Collection,
    source: string,
    lane: number,
    from: number,
    to: number,
    writes: readonly Write[],
  ): Promise<void> {
    this.#open(collection);
    checkKeys(writes);
    const prepared = writes.map((write) => prepareWrite(collection, write));
    await this.#transactions
      .run(() => this.#write(collection, source, lane, { from, to }, prepared))
      .catch(unavailable);
    this.#waiters.reached(waiterKey(collection, source, lane), to);
  }

  /** A property, so that an object made from this one has it as well. */
  readonly getNow = (collection: Collection, tenant: string, id: string): Document | undefined => {
    const { tables, rows } = this.#open(collection);
    const known = rows.get(tenant, id);
    if (known !== undefined) return JSON.parse(known) as Document;
    const row = this.#use(() =>
      this.#statement(`SELECT body FROM ${tables.documents} WHERE tenant = ? AND id = ?`).get(tenant, id),
    );
    if (!row) return undefined;
    const body = row['body'] as string;
    rows.keep(tenant, id, body);
    return JSON.parse(body) as Document;
  };

  async get(collection: Collection, tenant: string, id: string): Promise<Document | undefined> {
    return this.getNow(collection, tenant, id);
  }

  async query(collection: Collection, tenant: string, query: Query): Promise<Page> {
    const { tables, pages } = this.#open(collection);
    const known = pages.get(tenant, query);
    if (known) return known;
    const checked = checkedQuery(collection, query);
    const rows: { id: string; body: string }[] = [];
    this.#use(() => {
      for (const { text, values } of selectsOf(collection, tables, tenant, checked)) {
        const wanted = query.limit + 1 - rows.length;
        if (wanted === 0) break;
        rows.push(...(this.#statement(text).all(...values, wanted) as { id: string; body: string }[]));
      }
    });
    const items = rows.slice(0, query.limit).map(({ id, body }) => ({ id, body: JSON.parse(body) as Document }));
    const page = shared({ items, more: rows.length > query.limit });
    const length = rows.reduce((sum, { id, body }) => sum + id.length + body.length, 0);
    pages.keep(tenant, query, page, length);
    return page;
  }

  async waitFor(
    collection: Collection,
    source: string,
    lane: number,
    position: number,
    timeout: number,
  ): Promise<boolean> {
    if (this.#checkpoint(collection, source, lane) >= position) return true;
    return this.#waiters.wait(waiterKey(collection, source, lane), position, timeout);
  }

  scrub(): Promise<void> {
    return (this.#scrubbing ??= pause(scrubDelay).then(() => {
      this.#scrubbing = undefined;
      this.#use(() => {
        // Overwriting freed content is not enough: page splits leave copies in gaps, which only a new file is free of.
        this.#database.exec('VACUUM');
        emptyWal(this.#database);
      });
    }));
  }

  async close(): Promise<void> {
    await this.#scrubbing?.catch(() => undefined);
    this.#transactions.flush();
    this.#waiters.end();
    this.#database.close();
  }

  #write(
    collection: Collection,
    source: string,
    lane: number,
    { from, to }: { readonly from: number; readonly to: number },
    writes: readonly PreparedWrite[],
  ): void {
    const { tables, writer, rows, pages } = this.#open(collection);
    const at = this.#checkpoint(collection, source, lane);
    if (at !== from) throw new CheckpointFenced(collectionKey(collection), source, lane, from, at);
    for (const write of writes) {
      writer.write(write);
      rows.replace(write.tenant, write.id, write.body);
      pages.forget(write.tenant);
    }
    this.#statement('INSERT OR REPLACE INTO checkpoint (slot, source, lane, position) VALUES (?, ?, ?, ?)').run(
      tables.slot,
      source,
      lane,
      to,
    );
    this.#checkpoints.set(waiterKey(collection, source, lane), to);
  }

  #checkpoint(collection: Collection, source: string, lane: number): number {
    const { tables } = this.#open(collection);
    const key = waiterKey(collection, source, lane);
    const known = this.#checkpoints.get(key);
    if (known !== undefined) return known;
    const row = this.#use(() =>
      this.#statement('SELECT position FROM checkpoint WHERE slot = ? AND source = ? AND lane = ?').get(
        tables.slot,
        source,
        lane,
      ),
    );
    const position = (row?.['position'] as number | undefined) ?? 0;
    this.#checkpoints.set(key, position);
    return position;
  }

  #open(collection: Collection): Open {
    const open = this.#collections.get(collectionKey(collection));
    if (!open) throw new Error(`${collectionKey(collection)} is not open`);
    return open;
  }

  #statement(text: string): Statement {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= mostStatements) this.#statements.clear();
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  #use<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      return unavailable(error);
    }
  }
}

const own = [CheckpointFenced, DeclarationChanged, DocumentsUnavailable];

/** What the engine throws becomes `DocumentsUnavailable`; our own errors stay. */
function unavailable(error: unknown): never {
  if (own.some((type) => error instanceof type)) throw error;
  throw new DocumentsUnavailable('the documents cannot be read or written', { cause: error });
}

/** Milliseconds in which several erasures share one pass over the file. */
const scrubDelay = 100;

/** The WAL keeps old versions of pages until it is emptied. */
const emptyWal = (database: Database): void => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');

/** Where read models live. */
export interface SqliteDocumentsOptions {
  readonly file: string;
  /** How the file is opened; replaceable to inject faults. */
  readonly open?: (file: string) => Promise<Database>;
}

/**
 * Opens read models in a database file, for this process alone. Documents and checkpoint move in one transaction; the last
 * ones may vanish with the power, together, and are built again from the log.
 * Throws `AlreadyRunning` when another process holds the file.
 */
export async function sqliteDocuments(options: SqliteDocumentsOptions): Promise<Documents> {
  const { file, open = (path: string) => openDatabase(path, { durable: false }) } = options;
  const database = await open(file);
  // Freed content is overwritten, and what a crash left in the WAL goes now.
  database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;');
  emptyWal(database);
  // Indexes of a read model are written all over; they should stay in memory.
  database.exec('PRAGMA cache_size = -65536');
  createCatalogue(database);
  return new SqliteDocuments(database);
}
