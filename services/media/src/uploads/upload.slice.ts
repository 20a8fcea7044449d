import { type Slice, aggregate, streamNamed, streamsOf } from '@lyceum/service';
import type { MediaServicePorts } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { storageUse, storageUseEvents, storageUseStream } from '../storage-use/storage-use.ts';
import { cleaningUploads, removingBytes } from './upload.cleaning.ts';
import { uploadEvents } from './upload.events.ts';
import { uploadOperations } from './upload.http.ts';
import { unfinishedProjection } from './upload.projection.ts';
import { uploadDecider } from './upload.ts';

/** Files of schools, and how they get there. */
export const uploadSlice: Slice<MediaSettings, MediaServicePorts> = {
  name: 'uploads',
  operations: uploadOperations,
  events: { ...uploadEvents, ...storageUseEvents },
  aggregates: [aggregate(streamsOf('upload_'), uploadDecider), aggregate(streamNamed(storageUseStream), storageUse)],
  projections: [unfinishedProjection],
  reactions: [removingBytes],
  backgroundJobs: [cleaningUploads],
  mirrors: [{ source: 'school', apply: ({ tenant }, { schools }) => void schools.add(tenant) }],
};
