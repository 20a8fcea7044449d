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

/** Drops the tables of a collection, if there are any, with its checkpoints and its declaration. */
export function dropTables(database: Database, collection: Collection): void {
  const key = collectionKey(collection);
  const found = database.prepare<{ slot: number }>('SELECT slot FROM collection WHERE key = ?').get(key);
  if (!found) return;
  const { slot, documents, sets } = tablesOf(found.slot);
  database.transaction(() => {
    database.exec(`DROP TABLE ${documents}; DROP TABLE ${sets};`);
    database.prepare('DELETE FROM checkpoint WHERE slot = ?').run(slot);
    database.prepare('DELETE FROM collection WHERE slot = ?').run(slot);
  });
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
