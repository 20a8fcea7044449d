import { fieldsOf } from '../collection/fields.ts';
import type { Collection, Document, Write } from '../port.ts';
import { foldText } from '../collection/text.ts';

type Stored = string | number | boolean | null | string[];

/** A document as a MongoDB-wire server keeps it. Of a deleted one only `_id`, `epochs` and `gone` are left, for a week. */
export interface DocumentRecord {
  readonly _id: string;
  /** The last write of each (source, lane) that is in it: an older one is never written over it. */
  readonly epochs: Readonly<Record<string, number>>;
  readonly tenant: string | null;
  readonly id: string | null;
  /** The declared fields. */
  readonly f: Readonly<Record<string, Stored>>;
  /** Text fields folded, for `contains`. */
  readonly c: Readonly<Record<string, string | null>>;
  /** JSON, because servers disagree about keys, nested lists and numbers. */
  readonly body: string | null;
  /** When it was deleted, milliseconds; a document that is there has none. */
  readonly gone?: number;
}

/** What a write makes of a document. */
export type Content = Omit<DocumentRecord, '_id' | 'epochs'>;

/** One document and what it becomes; plain JSON, so that it can be kept until it is done. */
export interface Change {
  readonly key: string;
  readonly content: Content;
}

/** The key of a document: a tenant never contains the slash after encoding. */
export const keyOf = (tenant: string, id: string): string => `${encodeURIComponent(tenant)}/${id}`;

/** Names a (source, lane) so that it can be a key of a document: without dots and dollars. */
export const scopeOf = (source: string, lane: number): string =>
  `${encodeURIComponent(source).replaceAll('.', '%2E')}/${lane}`;

/** The changes that writes come to, one for each document. Throws a TypeError for a field of another kind than declared. */
export function changesOf(collection: Collection, writes: readonly Write[]): readonly Change[] {
  const last = new Map<string, Change>();
  for (const { tenant, id, body } of writes) {
    const key = keyOf(tenant, id);
    last.set(key, { key, content: body ? contentOf(collection, tenant, id, body) : { ...nothing, gone: Date.now() } });
  }
  return [...last.values()];
}

const nothing: Content = { tenant: null, id: null, f: {}, c: {}, body: null };

function contentOf(collection: Collection, tenant: string, id: string, body: Document): Content {
  const f: Record<string, Stored> = {};
  const c: Record<string, string | null> = {};
  for (const [field, value] of Object.entries(fieldsOf(collection, body))) {
    f[field] = storable(value as Stored);
    if (collection.fields[field] === 'text') c[field] = value === null ? null : foldText(value as string);
  }
  return { tenant, id, f, c, body: JSON.stringify(body) };
}

/** Zero has one sign: FerretDB refuses the other. */
export const storable = <T>(value: T): T => (Object.is(value, -0) ? (0 as T) : value);
