import { BoundedMap } from '@lyceum/kernel';
import { type Bindable, type Database, type Statement, adding } from '@lyceum/sqlite';
import { type FieldValue, fieldsOf } from '../collection/fields.ts';
import type { Collection, Document, Write } from '../port.ts';
import { type Tables, columnOf, foldedOf } from './schema.ts';
import { foldText } from '../collection/text.ts';

/** What differs from the document that is believed to be stored. */
interface Patch {
  /** That document, as it would be stored. */
  readonly was: string;
  /** The fields, sets not among them, that are another value now. */
  readonly changed: readonly string[];
  readonly keepsMembers: boolean;
}

/** A write with everything that may fail already done: its fields are checked, its body is JSON; null deletes. */
export interface PreparedWrite {
  readonly tenant: string;
  readonly id: string;
  readonly body: string | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly patch?: Patch;
}

const scalarFields = (collection: Collection): string[] =>
  Object.keys(collection.fields).filter((field) => collection.fields[field] !== 'set');

const setFields = (collection: Collection): string[] =>
  Object.keys(collection.fields).filter((field) => collection.fields[field] === 'set');

/** Throws a TypeError when a field of the body is of another kind than declared. */
export function prepareWrite(collection: Collection, { tenant, id, body, before }: Write): PreparedWrite {
  if (!body) return { tenant, id, body, fields: {} };
  const prepared = { tenant, id, body: JSON.stringify(body), fields: fieldsOf(collection, body) };
  return before ? { ...prepared, patch: patchOf(collection, before, body) } : prepared;
}

const patchOf = (collection: Collection, before: Document, body: Document): Patch => ({
  was: JSON.stringify(before),
  changed: scalarFields(collection).filter((field) => before[field] !== body[field]),
  keepsMembers: setFields(collection).every((field) => JSON.stringify(before[field]) === JSON.stringify(body[field])),
});

/** Shapes of patches kept compiled, per collection. */
const mostPatches = 64;

/** Documents that one statement writes. */
const together = 16;

/** Writes documents of one collection. To be called inside a transaction. */
export class Writer {
  readonly #database: Database;
  readonly #collection: Collection;
  readonly #documents: string;
  readonly #scalars: readonly string[];
  readonly #sets: readonly string[];
  readonly #upsert: ReturnType<typeof adding>;
  readonly #delete: Statement;
  readonly #clearMembers: Statement;
  readonly #addMembers: Statement;
  readonly #patches = new BoundedMap<string, Statement>(mostPatches);

  constructor(database: Database, collection: Collection, { documents, sets }: Tables) {
    this.#database = database;
    this.#collection = collection;
    this.#documents = documents;
    this.#scalars = scalarFields(collection);
    this.#sets = setFields(collection);
    const columns = this.#columns(this.#scalars);
    const all = ['tenant', 'id', ...columns, 'body'];
    const changes = [...columns, 'body'].map((column) => `${column} = excluded.${column}`);
    this.#upsert = adding(
      database,
      `INSERT INTO ${documents} (${all.join(', ')})`,
      all.length,
      together,
      `ON CONFLICT (tenant, id) DO UPDATE SET ${changes.join(', ')}`,
    );
    this.#delete = database.prepare(`DELETE FROM ${documents} WHERE tenant = ? AND id = ?`);
    this.#clearMembers = database.prepare(`DELETE FROM ${sets} WHERE tenant = ? AND id = ?`);
    this.#addMembers = database.prepare(
      `INSERT INTO ${sets} (tenant, id, field, value) SELECT ?, ?, value ->> 0, value ->> 1 FROM json_each(?)`,
    );
  }

  /** Writes documents in their order; those that need no look at what is stored, together. */
  write(writes: readonly PreparedWrite[]): void {
    let whole: PreparedWrite[] = [];
    for (const write of writes)
      if (write.body !== null && !write.patch) whole.push(write);
      else {
        this.#put(whole);
        whole = [];
        this.#change(write);
      }
    this.#put(whole);
  }

  #put(writes: readonly PreparedWrite[]): void {
    this.#upsert(
      writes.map(({ tenant, id, body, fields }) => [tenant, id, ...this.#values(this.#scalars, fields), body]),
    );
    if (this.#sets.length > 0) for (const { tenant, id, fields } of writes) this.#writeMembers(tenant, id, fields);
  }

  #change(write: PreparedWrite): void {
    const { tenant, id, body, fields, patch } = write;
    if (patch && this.#isPatched(write, patch)) {
      if (this.#sets.length > 0 && !patch.keepsMembers) this.#writeMembers(tenant, id, fields);
    } else if (body !== null) this.#put([write]);
    else {
      this.#delete.run(tenant, id);
      if (this.#sets.length > 0) this.#writeMembers(tenant, id, fields);
    }
  }

  /**
   * Writes the columns that changed, if the document is what it was believed to be; an index on another column is then
   * not touched, which costs several times as much as the document. False: nothing was written.
   */
  #isPatched({ tenant, id, body, fields }: PreparedWrite, { was, changed }: Patch): boolean {
    return this.#patching(changed).run(...this.#values(changed, fields), body, tenant, id, was).changes > 0;
  }

  #patching(changed: readonly string[]): Statement {
    const key = changed.join();
    const known = this.#patches.get(key);
    if (known) return known;
    const changes = [...this.#columns(changed), 'body'].map((column) => `${column} = ?`);
    const statement = this.#database.prepare(
      `UPDATE ${this.#documents} SET ${changes.join(', ')} WHERE tenant = ? AND id = ? AND body = ?`,
    );
    this.#patches.set(key, statement);
    return statement;
  }

  #columns(fields: readonly string[]): string[] {
    return fields.flatMap((field) => (this.#isText(field) ? [columnOf(field), foldedOf(field)] : [columnOf(field)]));
  }

  #values(names: readonly string[], fields: PreparedWrite['fields']): Bindable[] {
    return names.flatMap((name): Bindable[] => {
      const value = fields[name] as string | number | boolean | null;
      if (!this.#isText(name)) return [value === null ? null : Number(value)];
      return typeof value === 'string' ? [value, foldText(value)] : [null, null];
    });
  }

  #isText(field: string): boolean {
    return this.#collection.fields[field] === 'text';
  }

  #writeMembers(tenant: string, id: string, fields: PreparedWrite['fields']): void {
    const members = this.#sets.flatMap((field) => ((fields[field] ?? []) as string[]).map((member) => [field, member]));
    this.#clearMembers.run(tenant, id);
    if (members.length > 0) this.#addMembers.run(tenant, id, JSON.stringify(members));
  }
}
