import type { Bindable, Database, Statement } from '@lyceum/sqlite';
import { fieldsOf } from './fields.ts';
import type { Collection, Write } from './port.ts';
import { type Tables, columnOf, foldedOf } from './sqlite-schema.ts';
import { foldText } from './text.ts';

/** A write with everything that may fail already done: its columns, its set members, its JSON. */
export interface PreparedWrite {
  readonly tenant: string;
  readonly id: string;
  /** The columns of the declared fields in order, then the body; null deletes. */
  readonly columns: readonly Bindable[] | null;
  readonly members: readonly (readonly [field: string, value: string])[];
}

const scalarFields = (collection: Collection): string[] =>
  Object.keys(collection.fields).filter((field) => collection.fields[field] !== 'set');

/** Throws a TypeError when a field of the body is of another kind than declared. */
export function prepareWrite(collection: Collection, { tenant, id, body }: Write): PreparedWrite {
  if (!body) return { tenant, id, columns: null, members: [] };
  const fields = fieldsOf(collection, body);
  const columns = scalarFields(collection).flatMap((field): Bindable[] => {
    const value = fields[field] as string | number | boolean | null;
    if (collection.fields[field] !== 'text') return [value === null ? null : Number(value)];
    return typeof value === 'string' ? [value, foldText(value)] : [null, null];
  });
  const members = Object.entries(fields).flatMap(([field, value]) =>
    Array.isArray(value) ? value.map((member: string) => [field, member] as const) : [],
  );
  return { tenant, id, columns: [...columns, JSON.stringify(body)], members };
}

/** Documents whose set members are remembered, per collection. */
const remembered = 20_000;

/** Writes documents of one collection. To be called inside a transaction; `forget` when that is rolled back. */
export class Writer {
  readonly #hasSets: boolean;
  readonly #upsert: Statement;
  readonly #delete: Statement;
  readonly #clearMembers: Statement;
  readonly #addMembers: Statement;
  /** The members that a document has in the store, as JSON: most writes leave them as they are. Nobody else writes. */
  readonly #members = new Map<string, string>();

  constructor(database: Database, collection: Collection, { documents, sets }: Tables) {
    const columns = scalarFields(collection).flatMap((field) =>
      collection.fields[field] === 'text' ? [columnOf(field), foldedOf(field)] : [columnOf(field)],
    );
    const all = ['tenant', 'id', ...columns, 'body'];
    const changes = [...columns, 'body'].map((column) => `${column} = excluded.${column}`);
    this.#hasSets = Object.values(collection.fields).includes('set');
    this.#upsert = database.prepare(
      `INSERT INTO ${documents} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
       ON CONFLICT (tenant, id) DO UPDATE SET ${changes.join(', ')}`,
    );
    this.#delete = database.prepare(`DELETE FROM ${documents} WHERE tenant = ? AND id = ?`);
    this.#clearMembers = database.prepare(`DELETE FROM ${sets} WHERE tenant = ? AND id = ?`);
    this.#addMembers = database.prepare(
      `INSERT INTO ${sets} (tenant, id, field, value) SELECT ?, ?, value ->> 0, value ->> 1 FROM json_each(?)`,
    );
  }

  write({ tenant, id, columns, members }: PreparedWrite): void {
    if (columns) this.#upsert.run(tenant, id, ...columns);
    else this.#delete.run(tenant, id);
    if (this.#hasSets) this.#writeMembers(tenant, id, JSON.stringify(members));
  }

  /** The store may have other members than remembered. */
  forget(): void {
    this.#members.clear();
  }

  #writeMembers(tenant: string, id: string, members: string): void {
    const key = `${tenant}\0${id}`;
    if (this.#members.get(key) === members) return;
    this.#clearMembers.run(tenant, id);
    if (members !== '[]') this.#addMembers.run(tenant, id, members);
    if (this.#members.size >= remembered) this.#members.clear();
    this.#members.set(key, members);
  }
}
