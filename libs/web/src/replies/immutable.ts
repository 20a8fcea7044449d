import { shared } from '@lyceum/kernel';

const documents = new WeakSet<object>();
const texts = new WeakMap<object, string>();

/**
 * Makes a document of a thing for each variant once, for as long as the thing is in memory: states that the log remembers,
 * rows of pages that the documents remember. What is shown of such a document is worked out once as well. So neither the
 * thing nor the document may ever change, as of everything that is `shared`.
 */
export function memoized<Thing extends object, Variant extends string, Document extends object>(
  make: (thing: Thing, variant: Variant) => Document,
): (thing: Thing, variant: Variant) => Document {
  const made = new WeakMap<Thing, Map<Variant, Document>>();
  return (thing, variant) => {
    let variants = made.get(thing);
    if (!variants) made.set(thing, (variants = new Map<Variant, Document>()));
    let document = variants.get(variant);
    if (!document) {
      document = shared(make(thing, variant));
      variants.set(variant, document);
      documents.add(document);
    }
    return document;
  };
}

/** Whether a value is such a document, so that what follows from it alone need not be worked out again. */
export const isImmutable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && documents.has(value);

/** Says of what follows from an immutable document alone that it lasts as well. */
export function markImmutable<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) documents.add(value);
  return shared(value);
}

/** A body as JSON; that of an immutable document is written once. */
export function jsonOf(body: unknown): string {
  if (!isImmutable(body)) return JSON.stringify(body);
  let text = texts.get(body);
  if (text === undefined) texts.set(body, (text = JSON.stringify(body)));
  return text;
}
