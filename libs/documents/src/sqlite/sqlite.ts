import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Checkpoint, checkpointFrom } from '@lyceum/kernel';
import { type Database, openDatabase } from '@lyceum/sqlite';
import { checkDeclaration, collectionKey } from '../collection/declaration.ts';
import { checkKeys } from '../collection/fields.ts';
import {
  CheckpointFenced,
  type Collection,
  DeclarationChanged,
  type Document,
  type Documents,
  DocumentsUnavailable,
  InvalidQuery,
  type Page,
  type Query,
} from '../port.ts';
import { StoredCollection } from './collection.ts';
import { createCatalogue, emptyDropped, forgetCollection } from './schema.ts';
import { Statements } from './statements.ts';
import { Transactions } from './transactions.ts';
import { prepareWrite } from './write.ts';
import { Waiters } from '../collection/waiters.ts';

const waiterKey = (collection: Collection, source: string, lane: number): string =>
  `${collectionKey(collection)} ${source}/${lane}`;

class SqliteDocuments implements Documents {
  readonly exclusive = true;
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #collections = new Map<string, StoredCollection>();
  readonly #transactions: Transactions;
  readonly #waiters = new Waiters();
  #emptying: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#transactions = new Transactions(database, () => {
      for (const stored of this.#collections.values()) stored.forget();
    });
    this.#emptyDropped();
  }

  async open(collection: Collection): Promise<void> {
    checkDeclaration(collection);
    const stored = use(() => new StoredCollection(this.#database, this.#statements, collection));
    this.#collections.set(collectionKey(collection), stored);
  }

  async drop(collection: Collection): Promise<void> {
    checkDeclaration(collection);
    use(() => forgetCollection(this.#database, collection));
    this.#collections.delete(collectionKey(collection));
    this.#statements.clear();
    this.#emptyDropped();
  }

  /** Takes what is left of dropped collections out of the file, a little at a time: beside everything else. */
  #emptyDropped(): void {
    this.#emptying = this.#emptying
      .then(async () => {
        while (!this.#closed && emptyDropped(this.#database)) await nextTurn();
      })
      // It goes on with the next one that is dropped, or at the next start.
      .catch(() => undefined);
  }

  async checkpoint(collection: Collection, source: string, lane: number): Promise<number> {
    return (await this.checkpointOf(collection, source, lane)).position;
  }

  async checkpointOf(collection: Collection, source: string, lane: number): Promise<Checkpoint> {
    const stored = this.#stored(collection);
    return use(() => stored.checkpoint({ source, lane }));
  }

  readonly apply: Documents['apply'] = async (collection, source, lane, from, to, writes) => {
    this.#stored(collection);
    checkKeys(writes);
    const prepared = writes.map((write) => prepareWrite(collection, write));
    await this.#transactions
      .run(() => this.#stored(collection).write({ source, lane }, { from, to: checkpointFrom(to) }, prepared))
      .catch(unavailable);
    this.#waiters.reached(waiterKey(collection, source, lane), checkpointFrom(to).position);
  };

  /** A property, so that an object made from this one has it as well. */
  readonly getNow = (collection: Collection, tenant: string, id: string): Document | undefined => {
    const stored = this.#stored(collection);
    return use(() => stored.get(tenant, id));
  };

  async get(collection: Collection, tenant: string, id: string): Promise<Document | undefined> {
    return this.getNow(collection, tenant, id);
  }

  async query(collection: Collection, tenant: string, query: Query): Promise<Page> {
    const stored = this.#stored(collection);
    return use(() => stored.query(tenant, query));
  }

  async tenants(collection: Collection, after: string): Promise<readonly string[]> {
    const stored = this.#stored(collection);
    return use(() => stored.tenants(after));
  }

  readonly waitFor: Documents['waitFor'] = async (collection, source, lane, position, timeout) => {
    const stored = this.#stored(collection);
    // Without a pause between look and wait, in which the position could be reached unnoticed.
    if (use(() => stored.checkpoint({ source, lane }).position) >= position) return true;
    return this.#waiters.wait(waiterKey(collection, source, lane), position, timeout);
  };

  async scrub(): Promise<void> {
    await this.#emptying;
    await this.#database.scrub().catch(unavailable);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#emptying;
    this.#transactions.flush();
    this.#waiters.end();
    this.#database.close();
  }

  #stored(collection: Collection): StoredCollection {
    const stored = this.#collections.get(collectionKey(collection));
    if (!stored) throw new Error(`${collectionKey(collection)} is not open`);
    return stored;
  }
}

const own = [CheckpointFenced, DeclarationChanged, DocumentsUnavailable, InvalidQuery];

/** What the engine throws becomes `DocumentsUnavailable`; our own errors stay. */
function unavailable(error: unknown): never {
  if (own.some((type) => error instanceof type)) throw error;
  throw new DocumentsUnavailable('the documents cannot be read or written', { cause: error });
}

function use<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return unavailable(error);
  }
}

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
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  // Indexes of a read model are written all over; they should stay in memory.
  database.exec('PRAGMA cache_size = -65536');
  createCatalogue(database);
  return new SqliteDocuments(database);
}
