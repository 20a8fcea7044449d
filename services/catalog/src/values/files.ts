import { line } from '@lyceum/contracts';
import { z } from 'zod';

/** A file that something carries. Its id is opaque here; the bytes are the media service's. */
export const file = z
  .strictObject({
    file_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id'),
    name: line(1, 255),
    size: z.int().min(0).meta({ description: 'Bytes.' }),
    type: z
      .string()
      .max(127)
      .regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/, 'must be a media type')
      .meta({ example: 'application/pdf' }),
  })
  .meta({ id: 'FileReference', description: 'A file that was uploaded before.' });

/** The same, or none. */
export const fileOrNone = z.strictObject(file.shape).nullable().meta({ id: 'OptionalFileReference' });

/** What anybody may know of a file. */
export const fileSummary = file.omit({ file_id: true }).meta({ id: 'FileSummary' });

/** A file as events keep it: whoever named it was held to more. */
export const keptFile = z.object({ file_id: z.string(), name: z.string(), size: z.int(), type: z.string() });
