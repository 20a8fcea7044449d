import { type Checkpoint, checkpointFrom, shared, storedJson } from '@lyceum/kernel';
import { checkedQuery, compareValues, meets } from '../collection/condition.ts';
import { checkDeclaration, collectionKey, declarationOf, isId } from '../collection/declaration.ts';
import { type FieldValue, checkKeys, fieldsOf } from '../collection/fields.ts';
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

interface Stored {
  readonly id: string;
  /** JSON, so that no caller shares an object with the store. */
  readonly json: string;
  readonly fields: Readonly<Record<string, FieldValue>>;
}

interface Table {
  readonly declaration: string;
  readonly tenants: Map<string, Map<string, Stored>>;
  readonly checkpoints: Map<string, Checkpoint>;
}

/** Read models in memory, for tests and for data that is rebuilt at each start. */
class MemoryDocuments implements Documents {
  readonly exclusive = true;
  readonly #tables = new Map<string, Table>();
  readonly #waiters = new Waiters();
  #closed = false;

  async open(collection: Collection): Promise<void> {
    if (this.#closed) throw new DocumentsUnavailable('the documents are closed');
    checkDeclaration(collection);
    const key = collectionKey(collection);
    const declaration = declarationOf(collection);
    const table = this.#tables.get(key);
    if (table && table.declaration !== declaration) throw new DeclarationChanged(key);
    if (!table) this.#tables.set(key, { declaration, tenants: new Map(), checkpoints: new Map() });
  }

  async drop(collection: Collection): Promise<void> {
    if (this.#closed) throw new DocumentsUnavailable('the documents are closed');
    this.#tables.delete(collectionKey(collection));
  }

  async checkpoint(collection: Collection, source: string, lane: number): Promise<number> {
    return (await this.checkpointOf(collection, source, lane)).position;
  }

  async checkpointOf(collection: Collection, source: string, lane: number): Promise<Checkpoint> {
    return this.#at(collection, source, lane);
  }

  readonly apply: Documents['apply'] = async (collection, source, lane, from, to, writes) => {
    const table = this.#table(collection);
    checkKeys(writes);
    const prepared = writes.map((write) => ({
      ...write,
      stored: write.body && store(collection, write.id, write.body),
    }));
    const at = this.#at(collection, source, lane).position;
    if (at !== from) throw new CheckpointFenced(collectionKey(collection), source, lane, from, at);
    for (const { tenant, id, stored } of prepared) {
      const documents = table.tenants.get(tenant) ?? new Map<string, Stored>();
      table.tenants.set(tenant, documents);
      if (stored) documents.set(id, stored);
      else documents.delete(id);
    }
    const reached = checkpointFrom(to);
    table.checkpoints.set(`${source}/${lane}`, reached);
    this.#waiters.reached(`${collectionKey(collection)} ${source}/${lane}`, reached.position);
  };

  async get(collection: Collection, tenant: string, id: string): Promise<Document | undefined> {
    const stored = this.#table(collection).tenants.get(tenant)?.get(id);
    return stored && storedJson<Document>(stored.json);
  }

  async query(collection: Collection, tenant: string, query: Query): Promise<Page> {
    const table = this.#table(collection);
    const checked = checkedQuery(collection, query);
    // As where pages are remembered.
    return shared(pageOf(collection, [...(table.tenants.get(tenant)?.values() ?? [])], checked));
  }

  async tenants(collection: Collection, after: string): Promise<readonly string[]> {
    const all = [...this.#table(collection).tenants].flatMap(([tenant, { size }]) => (size > 0 ? [tenant] : []));
    const rest = all.filter((tenant) => compareValues(tenant, after) > 0);
    return rest.toSorted(compareValues).slice(0, mostTenants);
  }

  readonly waitFor: Documents['waitFor'] = async (collection, source, lane, position, timeout) => {
    // Without a pause between look and wait, in which the position could be reached unnoticed.
    const at = this.#at(collection, source, lane).position;
    if (at >= position) return true;
    return this.#waiters.wait(`${collectionKey(collection)} ${source}/${lane}`, position, timeout);
  };

  async close(): Promise<void> {
    this.#closed = true;
    this.#waiters.end();
  }

  #at(collection: Collection, source: string, lane: number): Checkpoint {
    return this.#table(collection).checkpoints.get(`${source}/${lane}`) ?? { position: 0 };
  }

  #table(collection: Collection): Table {
    if (this.#closed) throw new DocumentsUnavailable('the documents are closed');
    const table = this.#tables.get(collectionKey(collection));
    if (!table) throw new Error(`${collectionKey(collection)} is not open`);
    return table;
  }
}

const store = (collection: Collection, id: string, body: Document): Stored => ({
  id,
  json: JSON.stringify(body),
  fields: fieldsOf(collection, body),
});

/** A document's place in an order. */
interface Place {
  readonly value: FieldValue;
  readonly id: string;
}

function pageOf(collection: Collection, all: readonly Stored[], query: Query): Page {
  const read = (stored: Stored, field: string): FieldValue =>
    isId(collection, field) ? stored.id : stored.fields[field]!;
  const { sort, after } = query;
  const field = sort && !isId(collection, sort.field) ? sort.field : undefined;
  const sign = sort?.descending ? -1 : 1;
  const compare = (a: Place, b: Place): number => (compareValues(a.value, b.value) || compareValues(a.id, b.id)) * sign;
  const rows = all
    .filter((stored) => (query.where ?? []).every((condition) => meets(read(stored, condition.field), condition)))
    .map((stored) => ({ stored, id: stored.id, value: field ? read(stored, field) : null }))
    .sort(compare);
  const start = after && { id: after.id, value: field ? after.value : null };
  const rest = start ? rows.filter((row) => compare(row, start) > 0) : rows;
  const items = rest.slice(0, query.limit).map(({ id, stored }) => ({ id, body: storedJson<Document>(stored.json) }));
  return { items, more: rest.length > items.length };
}

/** Opens empty read models in memory. They live as long as the object. */
export const memoryDocuments = (): Documents => new MemoryDocuments();
