import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { certificateEvents } from './certificate.events.ts';
import { type Certificate, evolve } from './certificate.state.ts';

/** The read model behind lists of certificates. */
export const certificates: Collection = {
  name: 'certificates',
  version: 1,
  fields: { member_id: 'text', created_at: 'text', updated_at: 'text' },
};

/** The certificate of a row. */
export const certificateOf = (row: Document): Certificate => rowAs<Certificate>(row);

/** Folds the events of each certificate into its row. Of an erased member nothing is kept, and nothing is begun anew. */
export const certificateProjection: Projection = {
  collection: certificates,
  key: ({ stream }) => (stream.startsWith('certificate_') ? stream : undefined),
  project(event, before): Document | null {
    if (!before && event.version > 1) return null;
    const { at, version } = event;
    const next = evolve(before ? certificateOf(before) : null, upcast(certificateEvents, event), { at, version });
    return next && next.name !== null ? { ...next } : null;
  },
  erase: { documents: { field: 'member_id' } },
};
