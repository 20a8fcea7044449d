import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { uploadEvents } from './upload.events.ts';

/** What other services hear of a file: not its name, which may name a person. */
export function uploadFact(recorded: RecordedEvent): FactOf<'media'> | undefined {
  if (!Object.hasOwn(uploadEvents, recorded.type)) return undefined;
  const file_id = recorded.stream;
  const event = upcast(uploadEvents, recorded);
  switch (event.type) {
    case 'UploadRequested': {
      const { purpose, access, content_type, size, created_by: owner_id } = event.data;
      return { type: 'FileAnnounced', data: { file_id, purpose, access, content_type, size, owner_id } };
    }
    case 'FileReady': {
      const { type: content_type, size, sha256 } = event.data;
      return { type: 'FileReady', data: { file_id, content_type, size, sha256 } };
    }
    case 'FileRejected':
      return { type: 'FileRejected', data: { file_id, reason: event.data.reason } };
    case 'UploadCancelled':
    case 'UploadExpired':
    case 'FileDeleted':
      return { type: 'FileDeleted', data: { file_id } };
    default:
      return undefined;
  }
}
