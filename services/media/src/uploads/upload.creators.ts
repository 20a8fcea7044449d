import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type PersonalData, rowsAbout } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { uploadEvents } from './upload.events.ts';
import { type Upload, evolve } from './upload.state.ts';

/** The uploads of people, by who announced them. */
const createdUploads: Collection = { name: 'created-uploads', version: 1, fields: { created_by: 'text' } };

const uploadOf = (row: Document): Upload => rowAs<Upload & Document>(row);

/** Keeps every upload, also what became of it. Of an erased person nothing is kept, and nothing is begun anew. */
export const creatorProjection: Projection = {
  collection: createdUploads,
  key: ({ type, stream }) => (Object.hasOwn(uploadEvents, type) ? stream : undefined),
  project(recorded, before) {
    if (!before && recorded.version > 1) return null;
    const { at, version } = recorded;
    const upload = evolve(before ? uploadOf(before) : null, upcast(uploadEvents, recorded), { at, version });
    return upload && { ...upload };
  },
  erase: { documents: { field: 'created_by' } },
};

/** What a person uploaded: what it is called, and what became of it. The bytes are the school's, and are read by their address. */
export const uploadData: PersonalData<Ports> = {
  file: 'uploads',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: createdUploads, field: 'created_by' }, after, ({ id, body }) => {
      const { created_by: _self, holders, unreferenced_days: _days, version: _version, ...upload } = uploadOf(body);
      return { id, ...upload, in_use: holders.length > 0 };
    }),
};
