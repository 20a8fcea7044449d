import { collectionKey } from './declaration.ts';
import type { Collection, Document, FieldKind, Write } from '../port.ts';
import { wellFormed } from './text.ts';

/** The value of a declared field as engines compare it: null when the document has none; a set is a list of strings. */
export type FieldValue = string | number | boolean | null | readonly string[];

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function valueOf(kind: FieldKind, value: unknown): FieldValue | undefined {
  if (kind === 'set') {
    if (value === null || value === undefined) return [];
    return isTextList(value) ? [...new Set(value.map(wellFormed))] : undefined;
  }
  if (value === null || value === undefined) return null;
  if (kind === 'text' && typeof value === 'string') return wellFormed(value);
  if (kind === 'number' && typeof value === 'number' && Number.isFinite(value)) return value;
  if (kind === 'boolean' && typeof value === 'boolean') return value;
  return undefined;
}

/**
 * The declared fields of a document. A missing field is null, or the empty set. Throws a TypeError when a field holds
 * another kind of value than declared: a wrong projection must not quietly become a document that no query finds.
 */
export function fieldsOf(collection: Collection, body: Document): Record<string, FieldValue> {
  const fields: Record<string, FieldValue> = {};
  for (const [field, kind] of Object.entries(collection.fields)) {
    const value = valueOf(kind, body[field]);
    if (value === undefined) throw new TypeError(`field "${field}" of ${collectionKey(collection)} must be a ${kind}`);
    fields[field] = value;
  }
  return fields;
}

const fitsKind = (kind: FieldKind, value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (kind === 'set'
    ? isTextList(value)
    : kind === 'number'
      ? Number.isFinite(value)
      : typeof value === (kind === 'text' ? 'string' : kind));

/** Throws what `fieldsOf` throws, without building anything: it is asked after every event. */
export function checkFields(collection: Collection, body: Document): void {
  for (const field in collection.fields)
    if (!fitsKind(collection.fields[field]!, body[field])) fieldsOf(collection, body);
}

/** Throws a RangeError when a tenant or an id is not text that every engine keeps apart from all others. */
export function checkKey(tenant: string, id: string): void {
  if (!isKey(tenant) || !isKey(id))
    throw new RangeError('a tenant and a document id must be well-formed text, not empty and without NUL');
}

/** Throws what `checkKey` throws for any of the writes. */
export function checkKeys(writes: readonly Write[]): void {
  for (const { tenant, id } of writes) checkKey(tenant, id);
}

const isKey = (text: string): boolean => text !== '' && (!suspicious.test(text) || !unstorable.test(text));

/** Found in few keys, and looked for several times as fast as halves of a pair. */
// oxlint-disable-next-line no-control-regex -- NUL is among it
const suspicious = /[\0\ud800-\udfff]/;
// oxlint-disable-next-line no-control-regex -- NUL is among it
const unstorable = /[\0\p{Surrogate}]/u;
