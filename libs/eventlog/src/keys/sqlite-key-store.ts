import { type Database, openDatabase } from '@lyceum/sqlite';
import { Unavailable } from '../errors.ts';
import type { KeyStore, SchoolKey, Searched, Slot, StoredKey, SubjectKey } from './key-store.ts';

/** A school's own key has the empty subject; a destroyed key is null. `searched`: how far the log was, for erasures. */
const schema = `
  CREATE TABLE IF NOT EXISTS keys (
    tenant TEXT NOT NULL, subject TEXT NOT NULL, wrapped TEXT, told INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS searched (
    epoch TEXT NOT NULL, lane INTEGER NOT NULL, position INTEGER NOT NULL, commitId TEXT NOT NULL,
    PRIMARY KEY (epoch, lane)
  ) STRICT, WITHOUT ROWID;`;

const statements = (db: Database) => ({
  get: db.prepare<StoredKey>('SELECT wrapped FROM keys WHERE tenant = ? AND subject = ?'),
  add: db.prepare('INSERT INTO keys (tenant, subject, wrapped) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
  replace: db.prepare('UPDATE keys SET wrapped = ? WHERE tenant = ? AND subject = ? AND wrapped = ?'),
  close: db.prepare(`INSERT INTO keys (tenant, subject, wrapped) VALUES (?, ?, NULL)
    ON CONFLICT DO UPDATE SET wrapped = NULL WHERE wrapped IS NOT NULL`),
  clear: db.prepare('DELETE FROM keys WHERE tenant = ?'),
  schools: db.prepare<SchoolKey>(`SELECT tenant, wrapped FROM keys
    WHERE subject = '' AND wrapped IS NOT NULL AND tenant > ? ORDER BY tenant LIMIT ?`),
  subjects: db.prepare<SubjectKey>(`SELECT subject, wrapped FROM keys
    WHERE tenant = ? AND subject <> '' AND subject > ? ORDER BY subject LIMIT ?`),
  unreported: db.prepare<Required<Slot>>(`SELECT tenant, subject FROM keys
    WHERE wrapped IS NULL AND told = 0 AND subject <> '' LIMIT ?`),
  markReported: db.prepare('UPDATE keys SET told = 1 WHERE tenant = ? AND subject = ? AND wrapped IS NULL'),
  searched: db.prepare<Searched>('SELECT position, commitId FROM searched WHERE epoch = ? AND lane = ?'),
  saveSearched: db.prepare('INSERT OR REPLACE INTO searched (epoch, lane, position, commitId) VALUES (?, ?, ?, ?)'),
});

/** What the engine throws becomes `Unavailable`. */
function unavailable(cause: unknown): never {
  throw new Unavailable('the key store cannot be read or written', { cause });
}

function use<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return unavailable(error);
  }
}

/** Where the keys live. */
export interface SqliteKeyStoreOptions {
  readonly file: string;
  /** How the file is opened; replaceable by who needs the database as well. */
  readonly open?: (file: string) => Promise<Database>;
}

const openKeys = (file: string): Promise<Database> => openDatabase(file, { durable: true });

/**
 * A key store in one SQLite file, held by this process alone. A destroyed key leaves no byte once its destruction resolves, which
 * takes a pass over the file, beside its use and shared by all that begin during the one before. Throws `AlreadyRunning`
 * when another process holds it.
 */
export async function sqliteKeyStore({ file, open = openKeys }: SqliteKeyStoreOptions): Promise<KeyStore> {
  const database = await open(file);
  database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;');
  database.exec(schema);
  const sql = statements(database);
  const get = ({ tenant, subject = '' }: Slot): StoredKey | undefined => {
    const school = sql.get.get(tenant, '');
    return school?.wrapped === null ? school : sql.get.get(tenant, subject);
  };
  let destroyed = 0;
  const scrub = async (): Promise<void> => {
    const before = destroyed;
    await database.scrub().catch(unavailable);
    // Another one, destroyed meanwhile, needs a pass of its own.
    if (destroyed === before) use(() => database.exec('PRAGMA user_version = 0'));
  };
  // What a crash left between the deletion and the scrub goes now.
  if (database.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version === 1) await scrub();

  return {
    get: async (slot) => use(() => get(slot)),
    add: async (slot, wrapped) =>
      use(() => {
        if (!get(slot)) sql.add.run(slot.tenant, slot.subject ?? '', wrapped);
        return get(slot)!;
      }),
    replace: async ({ tenant, subject = '' }, from, to) =>
      use(() => sql.replace.run(to, tenant, subject, from).changes > 0),
    async destroy({ tenant, subject = '' }) {
      use(() =>
        database.transaction(() => {
          if (subject === '') sql.clear.run(tenant);
          sql.close.run(tenant, subject);
          database.exec('PRAGMA user_version = 1');
        }),
      );
      destroyed += 1;
      await scrub();
    },
    schools: async (after, limit) => use(() => sql.schools.all(after, limit)),
    subjects: async (tenant, after, limit) => use(() => sql.subjects.all(tenant, after, limit)),
    unreported: async (limit) => use(() => sql.unreported.all(limit)),
    markReported: async ({ tenant, subject }) => use(() => void sql.markReported.run(tenant, subject)),
    searched: async (epoch, lane) => use(() => sql.searched.get(epoch, lane)),
    saveSearched: async (epoch, lane, { position, commitId }) =>
      use(() => void sql.saveSearched.run(epoch, lane, position, commitId)),
    close: async () => database.close(),
  };
}
