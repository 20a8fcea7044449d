import type { Collection, Condition, Document, Documents, Found } from './port.ts';

/** Which documents of a read model hold data about a person, and what is left of them once the person is erased. */
export interface Erasure {
  /** The ids of those documents, or the declared text or set field that names the subjects of a document. */
  readonly documents: ((subject: string) => readonly string[]) | { readonly field: string };
  /** The document without the person. Null, also when this is not given: no document. */
  forget?(body: Document, subject: string): Document | null;
}

const pageSize = 200;

/** The ids of the stored documents that hold data about a subject. */
export async function erasableIds(
  documents: Documents,
  collection: Collection,
  { documents: which }: Erasure,
  tenant: string,
  subject: string,
): Promise<readonly string[]> {
  if (typeof which === 'function') return which(subject);
  const { field } = which;
  const condition: Condition = collection.fields[field] === 'set' ? { field, has: subject } : { field, is: subject };
  const found: Found[] = [];
  for (let more = true; more;) {
    const last = found.at(-1);
    const after = last ? { after: { value: null, id: last.id } } : {};
    const page = await documents.query(collection, tenant, { where: [condition], limit: pageSize, ...after });
    found.push(...page.items);
    more = page.more;
  }
  return found.map(({ id }) => id);
}

/** Whether a document holds data about a subject. */
export function concerns({ documents: which }: Erasure, id: string, body: Document, subject: string): boolean {
  if (typeof which === 'function') return which(subject).includes(id);
  const named = body[which.field];
  return Array.isArray(named) ? named.includes(subject) : named === subject;
}
