import type { Collection, Projection } from '@lyceum/documents';
import { keyRingStream } from '../streams.ts';

/** Schools that have signing keys: a document for each, under one id. */
export const keyRings: Collection = { name: 'key-rings', version: 1, fields: {} };

/** Built from the events of key rings. */
export const keyRingProjection: Projection = {
  collection: keyRings,
  key: ({ stream }) => (stream === keyRingStream ? keyRingStream : undefined),
  project: () => ({}),
};
