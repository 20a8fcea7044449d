const documents = new WeakSet<object>();

/**
 * Makes a document of a thing for each variant once, for as long as the thing is in memory: states that the log remembers,
 * rows of pages that the documents remember. What is shown of such a document is worked out once as well. So neither the
 * thing nor the document may ever change.
 */
export function lasting<Thing extends object, Variant extends string, Document extends object>(
  make: (thing: Thing, variant: Variant) => Document,
): (thing: Thing, variant: Variant) => Document {
  const made = new WeakMap<Thing, Map<Variant, Document>>();
  return (thing, variant) => {
    let variants = made.get(thing);
    if (!variants) made.set(thing, (variants = new Map<Variant, Document>()));
    let document = variants.get(variant);
    if (!document) {
      document = make(thing, variant);
      variants.set(variant, document);
      documents.add(document);
    }
    return document;
  };
}

/** Whether a value is such a document, so that what follows from it alone need not be worked out again. */
export const isLasting = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && documents.has(value);
