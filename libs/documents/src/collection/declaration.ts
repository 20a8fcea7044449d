import { type Collection, type FieldKind, InvalidQuery } from '../port.ts';

const names = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;
const fieldNames = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const kinds: readonly string[] = ['text', 'number', 'boolean', 'set'] satisfies FieldKind[];

/** `<name>@<version>`: what identifies a collection. */
export function collectionKey(collection: Collection): string {
  const known = keys.get(collection);
  if (known !== undefined) return known;
  const key = `${collection.name}@${collection.version}`;
  keys.set(collection, key);
  return key;
}

/** Asked for several times for each document that is read or waited for. */
const keys = new WeakMap<Collection, string>();

/** The declared fields in one fixed order, as text: equal exactly when two declarations mean the same. */
export const declarationOf = (collection: Collection): string =>
  JSON.stringify(Object.entries(collection.fields).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Throws a RangeError when a name, version or field of the declaration is not one that every engine accepts. */
export function checkDeclaration(collection: Collection): void {
  const key = collectionKey(collection);
  if (!names.test(collection.name)) throw new RangeError(`"${collection.name}" is not a collection name`);
  if (!Number.isSafeInteger(collection.version) || collection.version < 1)
    throw new RangeError(`the version of ${collection.name} must be a whole number from 1`);
  const seen = new Set<string>();
  for (const [field, kind] of Object.entries(collection.fields)) {
    if (!fieldNames.test(field)) throw new RangeError(`"${field}" of ${key} is not a field name`);
    if (!kinds.includes(kind)) throw new RangeError(`"${kind}" of ${key} is not a field kind`);
    // Column names ignore case in SQL, so two fields must differ in more than case.
    if (seen.has(field.toLowerCase())) throw new RangeError(`two fields of ${key} are called "${field}" but for case`);
    seen.add(field.toLowerCase());
  }
}

/** The kind of a field that a query names; `id` is the document's id unless it is declared. Throws `InvalidQuery`. */
export function kindOf(collection: Collection, field: string): FieldKind {
  const kind = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined;
  if (kind) return kind;
  if (field === 'id') return 'text';
  throw new InvalidQuery(`${collectionKey(collection)} declares no field "${field}"`);
}

/** Whether a query's field means the document's id. */
export const isId = (collection: Collection, field: string): boolean =>
  field === 'id' && !Object.hasOwn(collection.fields, field);
