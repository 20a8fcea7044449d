import { type Slice, aggregate, streamNamed, streamsOf } from '@lyceum/service';
import { avatarList, avatarListEvents, isAvatarList } from '../avatar-lists/avatar-list.ts';
import { storageUse, storageUseEvents, storageUseStream } from '../storage-use/storage-use.ts';
import { creatorProjection, uploadData } from './upload.creators.ts';
import { uploadEvents } from './upload.events.ts';
import { uploadFact } from './upload.facts.ts';
import { endingProjection } from './upload.projection.ts';
import { uploadDecider } from './upload.ts';

/** What was announced, what became of it, and how much of the quota it takes. */
export const uploadSlice: Slice = {
  name: 'uploads',
  operations: [],
  events: { ...uploadEvents, ...storageUseEvents, ...avatarListEvents },
  aggregates: [
    aggregate(streamsOf('upload_'), uploadDecider),
    aggregate(streamNamed(storageUseStream), storageUse),
    aggregate(isAvatarList, avatarList),
  ],
  projections: [endingProjection, creatorProjection],
  toFact: uploadFact,
  personalData: [uploadData],
};
