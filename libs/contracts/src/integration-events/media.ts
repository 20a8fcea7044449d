import { z } from 'zod';
import { published, subjectEvents } from './declaration.ts';

const file_id = z.string();

const size = z.int().meta({ description: 'Bytes' });

/** What the media service publishes. The change feed has none of it: files are in no list, so whoever uploads one asks for it by its id. */
export const mediaFacts = {
  ...subjectEvents,
  FileAnnounced: published(
    1,
    z.object({
      file_id,
      purpose: z.string(),
      access: z.enum(['public', 'private']).meta({ description: 'Everybody may read a public one' }),
      content_type: z.string(),
      size,
      owner_id: z.string().meta({ description: 'The account that announced it' }),
    }),
    { means: 'Somebody is going to send a file' },
  ),
  FileReady: published(1, z.object({ file_id, content_type: z.string(), size, sha256: z.string() }), {
    means: 'All of a file is there, and its content is of this type',
  }),
  FileRejected: published(1, z.object({ file_id, reason: z.string() }), {
    means: 'The content of a file is not what it may be',
  }),
  FileDeleted: published(1, z.object({ file_id }), { means: 'There is no such file any more, or never will be' }),
} as const;
