import type { Erasure } from './erasure.ts';
import type { Incoming } from './projector/incoming.ts';
import type { Collection, Document } from './port.ts';

/** A read model as pure functions: which document an event concerns, and what becomes of it. */
export interface Projection {
  readonly collection: Collection;
  /** The id of the document that the event changes; undefined when the event is none of this read model's business. */
  key(event: Incoming): string | undefined;
  /** The body after the event, or null for no document. `before` is undefined when there is none yet. */
  project(event: Incoming, before: Document | undefined): Document | null;
  /** In place of `key` and `project`, where an event concerns several documents: see `foldingProjection`. */
  readonly fold?: (event: Incoming) => Folding | undefined;
  /** What happens when a person is erased (`SubjectErased`). Must be given when documents hold personal data. */
  readonly erase?: Erasure;
}

/**
 * What becomes of several documents after one event: asks for one by its id, gets its body (undefined when there is none),
 * and ends with the new bodies of documents that it has asked for; null = no document. What it asks for next may follow from
 * what it got.
 */
export type Folding = Generator<string, ReadonlyMap<string, Document | null>, Document | undefined>;

/** A read model in which an event concerns several documents. `fold`: undefined when the event is none of its business. */
export const foldingProjection = (
  declared: Pick<Projection, 'collection' | 'erase'> & Required<Pick<Projection, 'fold'>>,
): Projection => ({ ...declared, key: () => undefined, project: (_event, before) => before ?? null });
