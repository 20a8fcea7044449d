import { type MongoConnection, type MongoOptions, failureOf, openMongo } from '@lyceum/mongo';
import type { Collection } from 'mongodb';
import { Unavailable } from '../errors.ts';
import type { KeyStore, SchoolKey, Searched, Slot, StoredKey, SubjectKey } from './key-store.ts';

/**
 * One thing known of a slot: a wrapping of its key (the highest generation counts), that it is destroyed, or that nobody
 * has told of that yet. Records are inserted and deleted, never changed: FerretDB's updates are not atomic.
 */
interface KeyRecord {
  readonly _id: string;
  readonly tenant: string;
  /** '' = the school's own key. */
  readonly subject: string;
  readonly kind: 'key' | 'destroyed' | 'untold';
  readonly generation: number;
  readonly wrapped: string;
}

/** How far a lane was searched for erasures in an epoch of the log. */
interface SearchRecord extends Searched {
  readonly _id: string;
}

type Place = Pick<KeyRecord, 'tenant' | 'subject'>;

const placeOf = ({ tenant, subject = '' }: Slot): Place => ({ tenant, subject });

const record = ({ tenant, subject }: Place, kind: KeyRecord['kind'], generation = 0, wrapped = ''): KeyRecord => ({
  _id: JSON.stringify([tenant, subject, kind, generation]),
  tenant,
  subject,
  kind,
  generation,
  wrapped,
});

const top = (records: readonly KeyRecord[]): KeyRecord | undefined =>
  records.filter(({ kind }) => kind === 'key').sort((one, other) => other.generation - one.generation)[0];

class MongodbKeyStore implements KeyStore {
  readonly #connection: MongoConnection;
  readonly #records: Collection<KeyRecord>;
  readonly #searches: Collection<SearchRecord>;

  constructor(connection: MongoConnection, database: string) {
    this.#connection = connection;
    this.#records = connection.database(database).collection('keys');
    this.#searches = connection.database(database).collection('searched');
  }

  prepare(): Promise<void> {
    return use(async () => void (await this.#records.createIndex({ tenant: 1, subject: 1 })));
  }

  get(slot: Slot): Promise<StoredKey | undefined> {
    return use(() => this.#get(placeOf(slot)));
  }

  add(slot: Slot, wrapped: string): Promise<StoredKey> {
    return use(async () => {
      const place = placeOf(slot);
      const mine = record(place, 'key', 1, wrapped);
      const inserted = await this.#insert(mine);
      const { destroyed, key } = await this.#read(place);
      // A slot that was destroyed meanwhile, or whose key has been replaced since, has no use for ours.
      if (destroyed) await this.#clear(place);
      else if (inserted && key?._id !== mine._id) await this.#records.deleteOne({ _id: mine._id });
      return { wrapped: destroyed ? null : key!.wrapped };
    });
  }

  replace(slot: Slot, from: string, to: string): Promise<boolean> {
    return use(async () => {
      const place = placeOf(slot);
      const before = await this.#read(place);
      if (before.destroyed || before.key?.wrapped !== from) return false;
      const mine = record(place, 'key', before.key.generation + 1, to);
      if (!(await this.#insert(mine))) return false;
      const { destroyed, key } = await this.#read(place);
      if (destroyed) await this.#clear(place);
      else if (key?._id === mine._id)
        await this.#records.deleteMany({ ...place, kind: 'key', generation: { $lt: mine.generation } });
      else await this.#records.deleteOne({ _id: mine._id });
      return !destroyed && key?._id === mine._id;
    });
  }

  destroy(slot: Slot): Promise<void> {
    return use(async () => {
      const place = placeOf(slot);
      const tombstone = record(place, 'destroyed');
      if (!(await this.#records.findOne({ _id: tombstone._id }))) {
        // First, so that a crash leaves an erasure that goes on rather than one that nobody remembers.
        if (place.subject !== '') await this.#insert(record(place, 'untold'));
        await this.#insert(tombstone);
      }
      await this.#clear(place);
    });
  }

  schools(after: string, limit: number): Promise<readonly SchoolKey[]> {
    return use(async () => {
      const found = new Map<string, string>();
      // A key has a second generation only while it is being replaced.
      const sort = { tenant: 1, generation: 1 } as const;
      const most = 2 * limit + 2;
      const keys = this.#records.find({ subject: '', kind: 'key', tenant: { $gt: after } }, { sort, limit: most });
      for (const { tenant, wrapped } of await keys.toArray()) found.set(tenant, wrapped);
      return [...found].slice(0, limit).map(([tenant, wrapped]) => ({ tenant, wrapped }));
    });
  }

  subjects(tenant: string, after: string, limit: number): Promise<readonly SubjectKey[]> {
    return use(async () => {
      if (await this.#records.findOne({ _id: record({ tenant, subject: '' }, 'destroyed')._id })) return [];
      // A subject has at most a key of two generations and a tombstone.
      const options = { sort: { subject: 1, generation: 1 }, limit: 3 * limit + 3 } as const;
      const wanted = { tenant, subject: { $gt: after }, kind: { $in: ['key' as const, 'destroyed' as const] } };
      const found = new Map<string, string | null>();
      for (const { subject, kind, wrapped } of await this.#records.find(wanted, options).toArray())
        if (found.get(subject) !== null) found.set(subject, kind === 'destroyed' ? null : wrapped);
      return [...found].slice(0, limit).map(([subject, wrapped]) => ({ subject, wrapped }));
    });
  }

  unreported(limit: number): Promise<readonly Required<Slot>[]> {
    return use(async () => {
      const records = await this.#records.find({ kind: 'untold' }, { limit }).toArray();
      return records.map(({ tenant, subject }) => ({ tenant, subject }));
    });
  }

  markReported(slot: Required<Slot>): Promise<void> {
    return use(async () => void (await this.#records.deleteOne({ _id: record(placeOf(slot), 'untold')._id })));
  }

  searched(epoch: string, lane: number): Promise<Searched | undefined> {
    return use(async () => {
      const found = await this.#searches.findOne({ _id: JSON.stringify([epoch, lane]) });
      return found ? { position: found.position, commitId: found.commitId } : undefined;
    });
  }

  saveSearched(epoch: string, lane: number, searched: Searched): Promise<void> {
    return use(async () => {
      const _id = JSON.stringify([epoch, lane]);
      try {
        await this.#searches.replaceOne({ _id }, searched, { upsert: true });
      } catch (error) {
        // Another process saved its own at the same time.
        if (failureOf(error) !== 'duplicate') throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#connection.release();
  }

  async #get(place: Place): Promise<StoredKey | undefined> {
    const { destroyed, key } = await this.#read(place);
    if (destroyed) return { wrapped: null };
    return key && { wrapped: key.wrapped };
  }

  /** What is known of a slot; a destroyed school has taken all its slots along. */
  async #read(place: Place): Promise<{ readonly destroyed: boolean; readonly key: KeyRecord | undefined }> {
    const { tenant, subject } = place;
    const records = await this.#records.find({ tenant, subject: { $in: ['', subject] } }).toArray();
    const own = records.filter((each) => each.subject === subject);
    return { destroyed: records.some(({ kind }) => kind === 'destroyed'), key: top(own) };
  }

  /** Deletes the keys of a destroyed slot; with a school's own go those of its subjects. */
  async #clear({ tenant, subject }: Place): Promise<void> {
    await this.#records.deleteMany(subject === '' ? { tenant, kind: 'key' } : { tenant, subject, kind: 'key' });
  }

  /** False when a record of this name is there already. */
  async #insert(each: KeyRecord): Promise<boolean> {
    try {
      await this.#records.insertOne(each);
      return true;
    } catch (error) {
      if (failureOf(error) === 'duplicate') return false;
      throw error;
    }
  }
}

/** What the driver throws becomes `Unavailable`: every call may be repeated, whatever became of it. */
async function use<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Unavailable('the key store cannot be read or written', { cause });
  }
}

/**
 * A key store in a database of its own on a MongoDB-wire server, for any number of processes at once. Reads and writes go
 * by majority and journal. A destroyed key is deleted; the server's own files and oplog keep the wrapped key until they
 * are reused, so the school key that wraps it, and backups of this database, must be kept apart and short.
 * Throws `Unavailable` when no server answers.
 */
export async function mongodbKeyStore(options: MongoOptions & { readonly database: string }): Promise<KeyStore> {
  const connection = await openMongo(options).catch((cause: unknown) => {
    throw new Unavailable('no MongoDB-wire server answers', { cause });
  });
  try {
    const store = new MongodbKeyStore(connection, options.database);
    await store.prepare();
    return store;
  } catch (error) {
    await connection.release();
    throw error;
  }
}
