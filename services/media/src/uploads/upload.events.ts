import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const nothing = z.object({});
const holder = z.object({ holder_id: z.string() });

/** The events of an upload, in the stream named after its id. */
export const uploadEvents = {
  UploadRequested: {
    version: 1,
    data: z.object({
      purpose: z.string(),
      filename: z.string(),
      content_type: z.string(),
      /** Bytes. */
      size: z.int(),
      /** Hexadecimal. */
      sha256: z.string(),
      access: z.enum(['public', 'private']),
      /** RFC 3339: until then its bytes are awaited. */
      expires_at: z.string(),
      created_by: z.string(),
    }),
  },
  /** The bytes are whole, are those that were announced, and are of this type, which they say themselves. */
  FileReady: {
    version: 1,
    data: z.object({ key: z.string(), type: z.string(), size: z.int(), sha256: z.string() }),
  },
  FileRejected: { version: 1, data: z.object({ reason: z.string() }) },
  UploadCancelled: { version: 1, data: nothing },
  UploadExpired: { version: 1, data: nothing },
  /** The bytes are those that were announced, of this type: the scanner is asked about them. */
  ScanBegun: { version: 1, data: z.object({ type: z.string() }) },
  /** It is deleted when nothing has named it for so many days. Releases that knew of nothing that names files never said so. */
  UnreferencedDaysSet: { version: 1, data: z.object({ days: z.int() }) },
  /** A thing of another service names it, by the id of the thing. */
  ReferenceAdded: { version: 1, data: holder },
  ReferenceRemoved: { version: 1, data: holder },
  FileDeleted: { version: 1, data: nothing },
} as const satisfies EventTypes;

/** An event of an upload. */
export type UploadEvent = EventOf<typeof uploadEvents>;

/** The events after which the bytes of an upload are of no use. */
export const discarding: readonly UploadEvent['type'][] = [
  'FileRejected',
  'UploadCancelled',
  'UploadExpired',
  'FileDeleted',
];
