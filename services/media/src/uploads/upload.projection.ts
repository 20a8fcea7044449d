import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { uploadEvents } from './upload.events.ts';
import { type Upload, evolve, holdsQuota } from './upload.state.ts';

/** The uploads that end by themselves, by when: those whose bytes are awaited, and files that nothing names. */
export const endingUploads: Collection = { name: 'ending-uploads', version: 1, fields: { ends_at: 'text' } };

interface EndingRow {
  readonly upload: Upload;
}

/** The upload of a row. */
export const uploadOf = (row: Document): Upload => rowAs<EndingRow & Document>(row).upload;

const endOf = ({ state, expires_at, deleted_at }: Upload): string | null =>
  state === 'requested' ? expires_at : deleted_at;

/** Keeps them, with the files that something names, which end by themselves later on. */
export const endingProjection: Projection = {
  collection: endingUploads,
  key: ({ type, stream }) => (Object.hasOwn(uploadEvents, type) ? stream : undefined),
  project(recorded, before) {
    const { at, version } = recorded;
    const known = before ? uploadOf(before) : null;
    const upload = evolve(known, upcast(uploadEvents, recorded), { at, version });
    if (!holdsQuota(upload) || !upload) return null;
    const ends_at = endOf(upload);
    return { upload: { ...upload }, ...(ends_at === null ? {} : { ends_at }) };
  },
};
