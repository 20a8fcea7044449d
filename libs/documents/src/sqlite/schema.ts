import type { Database } from '@lyceum/sqlite';
import { collectionKey, declarationOf } from '../collection/declaration.ts';
import { type Collection, DeclarationChanged } from '../port.ts';

/** The tables of one collection: documents with a column per field, and the members of its sets. */
export interface Tables {
  readonly slot: number;
  readonly documents: string;
  readonly sets: string;
}

/** The column of a field. Field names are validated, and quoted, so that a keyword may be one. */
export const columnOf = (field: string): string => `"f_${field}"`;

/** The column that keeps a text field folded, for `contains`. */
export const foldedOf = (field: string): string => `"c_${field}"`;

/** The index of a field, in which its documents of one value stand together, by id. */
export const indexOf = ({ documents }: Tables, field: string): string => `"${documents}_${field}"`;

/** The index of tenant and id, as the engine names it. */
export const primaryIndexOf = ({ documents }: Tables): string => `"sqlite_autoindex_${documents}_1"`;

const columnTypes = { text: 'TEXT', number: 'REAL', boolean: 'INTEGER' } as const;

/** Creates the tables that all collections share. */
export function createCatalogue(database: Database): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS collection (
      slot INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, declaration TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS checkpoint (
      slot INTEGER NOT NULL, source TEXT NOT NULL, lane INTEGER NOT NULL, position INTEGER NOT NULL,
      PRIMARY KEY (slot, source, lane)
    ) WITHOUT ROWID;
  `);
  const columns = database.prepare<{ name: string }>('SELECT name FROM pragma_table_info(?)').all('checkpoint');
  // A release that does not know the column replaces the whole row, and so never leaves a commit at another position.
  if (!columns.some(({ name }) => name === 'commit_id'))
    database.exec('ALTER TABLE checkpoint ADD COLUMN commit_id TEXT');
}

/** Finds or creates the tables of a collection. Throws `DeclarationChanged` when they were made for other fields. */
export function createTables(database: Database, collection: Collection): Tables {
  const key = collectionKey(collection);
  const declaration = declarationOf(collection);
  const find = database.prepare<{ slot: number; declaration: string }>(
    'SELECT slot, declaration FROM collection WHERE key = ?',
  );
  const found = find.get(key);
  if (found && found.declaration !== declaration) throw new DeclarationChanged(key);
  if (found) return tablesOf(found.slot);
  return database.transaction(() => {
    database.prepare('INSERT INTO collection (key, declaration) VALUES (?, ?)').run(key, declaration);
    const tables = tablesOf(find.get(key)!.slot);
    database.exec(definitionOf(collection, tables));
    return tables;
  });
}

/** The key of a collection that is dropped and whose tables are still there. No collection has such a name. */
const droppedKey = (slot: number): string => `dropped ${slot}`;

/** Forgets a collection, if there is one, with its checkpoints. Its tables are left to `emptyDropped`. */
export function forgetCollection(database: Database, collection: Collection): void {
  const key = collectionKey(collection);
  const found = database.prepare<{ slot: number }>('SELECT slot FROM collection WHERE key = ?').get(key);
  if (!found) return;
  database.transaction(() => {
    // The slot stays taken until its tables are gone.
    database.prepare('UPDATE collection SET key = ? WHERE slot = ?').run(droppedKey(found.slot), found.slot);
    database.prepare('DELETE FROM checkpoint WHERE slot = ?').run(found.slot);
  });
}

/** Rows that are taken out of a dropped table in one transaction: a few milliseconds. */
const fewRows = 200;

/** Takes some rows out of dropped tables, and drops those that are empty. False when there are none left. */
export function emptyDropped(database: Database): boolean {
  const found = database
    .prepare<{ slot: number }>(
      `SELECT slot FROM collection WHERE key GLOB '${droppedKey(0).replace('0', '*')}' LIMIT 1`,
    )
    .get();
  if (!found) return false;
  const { slot, documents, sets } = tablesOf(found.slot);
  database.transaction(() => {
    const { changes } = database
      .prepare(`DELETE FROM ${documents} WHERE rowid IN (SELECT rowid FROM ${documents} LIMIT ${fewRows})`)
      .run();
    if (changes > 0) return;
    const some = `SELECT tenant, field, value, id FROM ${sets} LIMIT ${fewRows}`;
    if (database.prepare(`DELETE FROM ${sets} WHERE (tenant, field, value, id) IN (${some})`).run().changes > 0) return;
    database.exec(`DROP TABLE ${documents}; DROP TABLE ${sets};`);
    database.prepare('DELETE FROM collection WHERE slot = ?').run(slot);
  });
  return true;
}

const tablesOf = (slot: number): Tables => ({ slot, documents: `documents_${slot}`, sets: `sets_${slot}` });

function definitionOf(collection: Collection, tables: Tables): string {
  const { documents, sets } = tables;
  const columns: string[] = [];
  const indexes: string[] = [];
  for (const [field, kind] of Object.entries(collection.fields)) {
    if (kind === 'set') continue;
    columns.push(`${columnOf(field)} ${columnTypes[kind]}`);
    if (kind === 'text') columns.push(`${foldedOf(field)} TEXT`);
    indexes.push(`CREATE INDEX ${indexOf(tables, field)} ON ${documents} (tenant, ${columnOf(field)}, id);`);
  }
  return `
    CREATE TABLE ${documents} (
      ${['tenant TEXT NOT NULL', 'id TEXT NOT NULL', ...columns, 'body TEXT NOT NULL', 'PRIMARY KEY (tenant, id)'].join(', ')}
    );
    ${indexes.join('\n')}
    CREATE TABLE ${sets} (
      tenant TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (tenant, field, value, id)
    ) WITHOUT ROWID;
    CREATE INDEX ${sets}_id ON ${sets} (tenant, id);
  `;
}
