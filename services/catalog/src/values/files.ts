import { line } from '@lyceum/contracts';
import { z } from 'zod';

const mediaType = z
  .string()
  .max(127)
  .regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/, 'must be a media type')
  .meta({ example: 'application/pdf' });

const field = {
  file_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id')
    .meta({ description: 'Of an upload.', example: 'upload_0195a3c2-7d10-7abc-8def-0123456789ab' }),
  name: line(1, 255).meta({ example: 'templates.pdf' }),
  size: z.int().min(0).meta({ description: 'Bytes.' }),
  type: mediaType,
};

/** A file that something carries. */
export const file = z.object(field).meta({ id: 'FileReference', description: 'A file that was uploaded before.' });

/** A file with where its reader gets it, or none. */
export const fileToRead = z
  .object({
    ...field,
    url: z.url().nullable().meta({ description: 'Signed: whoever has it may read the file until it ends.' }),
    url_expires_at: z.iso.datetime().nullable().meta({ description: 'Ask again for a new address.' }),
  })
  .nullable()
  .meta({ id: 'FileToRead', description: 'A file, and where its bytes are.' });

const asRead = { size: field.size.optional(), type: mediaType.optional() };

/** A file as a client names it. */
export const fileInput = z.strictObject({ file_id: field.file_id, name: field.name, ...asRead }).meta({
  id: 'NamedFile',
  description: 'A file that was uploaded before. Its size and its type are those that the upload found.',
});

const addresses = { url: z.string().max(4_096).nullish(), url_expires_at: z.string().max(40).nullish() };

/** The same as it was read, or none. */
export const fileInputOrNone = z
  .strictObject({ ...fileInput.shape, ...addresses })
  .nullable()
  .meta({ id: 'OptionalNamedFile', description: 'As it was read; what an address says does not matter.' });

/** What anybody may know of a file. */
export const fileSummary = file.omit({ file_id: true }).meta({ id: 'FileSummary' });

/** A file as events keep it: whoever named it was held to more. */
export const keptFile = z.object({ file_id: z.string(), name: z.string(), size: z.int(), type: z.string() });

/** A file as events keep it. */
export type KeptFile = z.output<typeof keptFile>;
