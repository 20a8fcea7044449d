import { type Checkpoint, checkpointFrom, codeOf, storedJson } from '@lyceum/kernel';
import { type MongoConnection, type MongoEngine, type MongoOptions, inTime, openMongo, writeOnce } from '@lyceum/mongo';
import type { Db } from 'mongodb';
import { checkedQuery } from '../collection/condition.ts';
import { checkDeclaration, collectionKey, declarationOf } from '../collection/declaration.ts';
import { checkKeys } from '../collection/fields.ts';
import { stretchesOf } from './query.ts';
import { type DocumentRecord, changesOf, keyOf, scopeOf } from './record.ts';
import { StoredCollection, createIndexes, namesOf } from './mongodb-collection.ts';
import {
  CheckpointFenced,
  type Collection,
  DeclarationChanged,
  type Document,
  type Documents,
  DocumentsUnavailable,
  type Page,
  type Query,
} from '../port.ts';
import { mostTenants } from '../collection/tenants.ts';
import { Waiters } from '../collection/waiters.ts';

/** Where read models live: a database of its own for each service. */
export interface MongodbDocumentsOptions extends MongoOptions {
  readonly database: string;
  /** How the server is used; found out from the server when not given. */
  readonly engine?: MongoEngine;
}

interface DeclarationRecord {
  readonly _id: string;
  readonly declaration: string;
}

/** Milliseconds between looks at a checkpoint that another process may move. */
const poll = 100;

/**
 * Read models on a MongoDB-wire server, for any number of processes at once.
 *
 * Guaranteed on every server: of several projectors at one position exactly one moves on, because a step is an insertion;
 * a step is stored whole before the first document changes, so documents and checkpoint move together whatever crashes.
 * A projector that sleeps in the middle of a step and wakes when others have gone on writes nothing over newer documents:
 * on MongoDB the server compares; on FerretDB 1.x the projector compares first, so there it must not fall asleep between
 * that look and the write right after it.
 *
 * Throws `DocumentsUnavailable` when no server answers.
 */
export async function mongodbDocuments(options: MongodbDocumentsOptions): Promise<Documents> {
  const connection = await openMongo(options).catch((cause: unknown) => {
    throw new DocumentsUnavailable('no MongoDB-wire server answers', { cause });
  });
  return new MongodbDocuments(connection, connection.database(options.database), options.engine ?? connection.engine);
}

class MongodbDocuments implements Documents {
  readonly #connection: MongoConnection;
  readonly #db: Db;
  readonly #engine: MongoEngine;
  readonly #collections = new Map<string, StoredCollection>();
  readonly #waiters = new Waiters();
  readonly #unsubscribe: () => void;
  #closed = false;

  constructor(connection: MongoConnection, db: Db, engine: MongoEngine) {
    this.#connection = connection;
    this.#db = db;
    this.#engine = engine;
    this.#unsubscribe = connection.onLost(() => this.#collections.forEach((stored) => stored.forget()));
  }

  async open(collection: Collection): Promise<void> {
    checkDeclaration(collection);
    const key = collectionKey(collection);
    const declaration = declarationOf(collection);
    await this.#use(async () => {
      const declarations = this.#db.collection<DeclarationRecord>('declarations');
      const kept = await writeOnce(declarations, { _id: key, declaration });
      if (kept.declaration !== declaration) throw new DeclarationChanged(key);
      await createIndexes(this.#db, this.#engine, collection);
    });
    const known = this.#collections.get(key);
    if (known) known.forget();
    else this.#collections.set(key, new StoredCollection(this.#db, this.#engine, collection));
  }

  async drop(collection: Collection): Promise<void> {
    checkDeclaration(collection);
    const key = collectionKey(collection);
    this.#collections.delete(key);
    await this.#use(async () => {
      const names = namesOf(collection);
      for (const name of [names.documents, names.moves]) await this.#db.dropCollection(name, inTime()).catch(missing);
      await this.#db.collection<DeclarationRecord>('declarations').deleteOne({ _id: key }, inTime());
    });
  }

  async checkpoint(collection: Collection, source: string, lane: number): Promise<number> {
    return (await this.checkpointOf(collection, source, lane)).position;
  }

  async checkpointOf(collection: Collection, source: string, lane: number): Promise<Checkpoint> {
    const stored = this.#stored(collection);
    const { position, commitId } = await this.#use(() => stored.settled(scopeOf(source, lane), true));
    return commitId === undefined ? { position } : { position, commitId };
  }

  readonly apply: Documents['apply'] = async (collection, source, lane, from, to, writes) => {
    const stored = this.#stored(collection);
    checkKeys(writes);
    const changes = changesOf(collection, writes);
    const scope = scopeOf(source, lane);
    await this.#use(async () => {
      let at = await stored.settled(scope, false);
      if (at.position !== from) at = await stored.settled(scope, true);
      if (at.position === from && (await stored.move(scope, at, to, changes))) return;
      const { position } = at.position === from ? await stored.settled(scope, true) : at;
      throw new CheckpointFenced(collectionKey(collection), source, lane, from, position);
    }).catch((error: unknown) => {
      // Whatever failed, the step may have been decided.
      stored.forget(scope);
      throw error;
    });
    this.#waiters.reached(`${collectionKey(collection)} ${scope}`, checkpointFrom(to).position);
  };

  async get(collection: Collection, tenant: string, id: string): Promise<Document | undefined> {
    const { documents } = this.#stored(collection);
    const record = await this.#use(() => documents.findOne({ _id: keyOf(tenant, id) }, inTime()));
    return record?.body ? storedJson<Document>(record.body) : undefined;
  }

  async query(collection: Collection, tenant: string, query: Query): Promise<Page> {
    const { documents } = this.#stored(collection);
    const checked = checkedQuery(collection, query);
    const found: DocumentRecord[] = [];
    await this.#use(async () => {
      for (const { filter, sort } of stretchesOf(collection, tenant, checked)) {
        const limit = query.limit + 1 - found.length;
        if (limit > 0) found.push(...(await documents.find(filter, { sort, limit, ...inTime() }).toArray()));
      }
    });
    const items = found.slice(0, query.limit).map(({ id, body }) => ({ id: id!, body: JSON.parse(body!) as Document }));
    return { items, more: found.length > query.limit };
  }

  async tenants(collection: Collection, after: string): Promise<readonly string[]> {
    const { documents } = this.#stored(collection);
    const options = {
      sort: { tenant: 1 },
      limit: mostTenants,
      projection: { _id: 0, tenant: 1 },
      ...inTime(),
    } as const;
    const found = await this.#use(() => documents.find({ tenant: { $gt: after } }, options).toArray());
    return [...new Set(found.map(({ tenant }) => tenant!))];
  }

  readonly waitFor: Documents['waitFor'] = async (collection, source, lane, position, timeout) => {
    const stored = this.#stored(collection);
    const scope = scopeOf(source, lane);
    const until = performance.now() + timeout;
    for (;;) {
      // Listening begins before the look, so that nothing falls between them.
      const heard = this.#waiters.wait(`${collectionKey(collection)} ${scope}`, position, poll);
      if ((await this.#use(() => stored.reached(scope))) >= position) return true;
      const left = until - performance.now();
      if (left <= 0 || this.#closed) return false;
      if (await within(heard, left)) return true;
      if (this.#closed) return false;
    }
  };

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiters.end();
    this.#unsubscribe();
    await this.#connection.release();
  }

  #stored(collection: Collection): StoredCollection {
    if (this.#closed) throw new DocumentsUnavailable('the documents are closed');
    const stored = this.#collections.get(collectionKey(collection));
    if (!stored) throw new Error(`${collectionKey(collection)} is not open`);
    return stored;
  }

  /** What the driver throws becomes `DocumentsUnavailable`; our own errors stay. */
  async #use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new DocumentsUnavailable('the documents are closed');
    try {
      return await work();
    } catch (error) {
      const own = [CheckpointFenced, DeclarationChanged, DocumentsUnavailable].some((type) => error instanceof type);
      if (own) throw error;
      throw new DocumentsUnavailable('the documents cannot be read or written', { cause: error });
    }
  }
}

/** Dropping what is not there changes nothing. */
function missing(error: unknown): void {
  if (codeOf(error) !== 26) throw error;
}

/** What a wait gives, or false after some milliseconds. */
async function within(wait: Promise<boolean>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  return Promise.race([wait, late]).finally(() => clearTimeout(timer));
}
