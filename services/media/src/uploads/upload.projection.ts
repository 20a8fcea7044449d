import type { Collection, Projection } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { uploadEvents } from './upload.events.ts';

/** The uploads whose bytes are awaited. */
export const unfinishedUploads: Collection = { name: 'unfinished-uploads', version: 1, fields: { expires_at: 'text' } };

/** Keeps them. */
export const unfinishedProjection: Projection = {
  collection: unfinishedUploads,
  key: ({ type, stream }) => (Object.hasOwn(uploadEvents, type) ? stream : undefined),
  project(recorded) {
    const event = upcast(uploadEvents, recorded);
    return event.type === 'UploadRequested' ? { expires_at: event.data.expires_at } : null;
  },
};
