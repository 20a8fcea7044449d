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
  /** What happens when a person is erased (`SubjectErased`). Must be given when documents hold personal data. */
  readonly erase?: Erasure;
}
