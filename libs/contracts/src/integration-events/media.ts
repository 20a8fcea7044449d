import { z } from 'zod';
import { published, subjectEvents } from './declaration.ts';

const file_id = z.string();

/** What the media service publishes. The change feed has none of it: files are in no list, so whoever uploads one asks for it by its id. */
export const mediaFacts = {
  ...subjectEvents,
  /** Somebody is going to send a file. Everybody may read a public one; `owner_id`: the account that announced it. */
  FileAnnounced: published(
    1,
    z.object({
      file_id,
      purpose: z.string(),
      access: z.enum(['public', 'private']),
      content_type: z.string(),
      /** Bytes. */
      size: z.int(),
      owner_id: z.string(),
    }),
  ),
  /** All of it is there, and its content is of this type. */
  FileReady: published(1, z.object({ file_id, content_type: z.string(), size: z.int(), sha256: z.string() })),
  /** Its content is not what it may be. */
  FileRejected: published(1, z.object({ file_id, reason: z.string() })),
  /** There is no such file any more, or never will be. */
  FileDeleted: published(1, z.object({ file_id })),
} as const;
