import { type Slice, aggregate, streamNamed, streamsOf } from '@lyceum/service';
import type { MediaServicePorts } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { storageUse, storageUseEvents, storageUseStream } from '../storage-use/storage-use.ts';
import { cleaningUploads, removingBytes } from './upload.cleaning.ts';
import { uploadEvents } from './upload.events.ts';
import { uploadOperations } from './upload.http.ts';
import { uploadFact } from './upload.facts.ts';
import { answerFiles, notingReferences } from './upload.holders.ts';
import { endingProjection } from './upload.projection.ts';
import { scanningFiles } from './upload.scanning.ts';
import { uploadDecider } from './upload.ts';

/** Files of schools, and how they get there. */
export const uploadSlice: Slice<MediaSettings, MediaServicePorts> = {
  name: 'uploads',
  operations: uploadOperations,
  events: { ...uploadEvents, ...storageUseEvents },
  aggregates: [aggregate(streamsOf('upload_'), uploadDecider), aggregate(streamNamed(storageUseStream), storageUse)],
  projections: [endingProjection],
  toFact: uploadFact,
  answers: { files: answerFiles },
  reactions: [removingBytes, scanningFiles, ...notingReferences],
  backgroundJobs: [cleaningUploads],
  mirrors: [{ source: 'school', apply: ({ tenant }, { schools }) => void schools.add(tenant) }],
};
