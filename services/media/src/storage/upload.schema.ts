import { largestFile, line } from '@lyceum/contracts';
import { membersOf } from '@lyceum/service';
import { z } from 'zod';
import { purposeNames } from '../uploads/upload.purposes.ts';

const members = membersOf('upload', 'upload');

const mediaType = z
  .string()
  .max(127)
  .regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/, 'must be a media type')
  .meta({ example: 'application/pdf' });

const fields = {
  purpose: z.enum(purposeNames),
  filename: line(1, 255).meta({ example: 'templates.pdf', description: 'What it is called when it is saved.' }),
  size: z.int().min(1).max(largestFile).meta({ description: 'Bytes.', example: 120_000 }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .meta({ description: 'Of all bytes, hexadecimal.' }),
};

/** Where and how the bytes are sent. */
const target = z
  .object({
    method: z.literal('PUT'),
    url: z.url().meta({ description: 'Whoever has it may send the bytes: it needs no token.' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'To be sent with the bytes, as they are here.' }),
    in_parts: z.boolean().meta({
      description: 'Whether the bytes may come in parts, each with its Content-Range; otherwise all at once.',
    }),
    expires_at: z.iso.datetime().meta({ description: 'Read the upload for a new address.' }),
  })
  .meta({ id: 'UploadTarget', description: 'A signed address for the bytes of one upload.' });

/** An upload as those read it who may change it. */
export const uploadReply = z
  .object({
    ...members.first,
    ...fields,
    content_type: mediaType.meta({ description: 'As announced; of a ready file as its content says.' }),
    access: z.enum(['public', 'private']),
    state: z.enum(['requested', 'scanning', 'ready', 'rejected', 'expired']).meta({
      description:
        '`scanning`: complete, and looked through for what does harm; it is `ready` or `rejected` after that.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it was rejected.' }),
    received: z.int().meta({ description: 'Bytes that have arrived.' }),
    expires_at: z.iso.datetime().meta({ description: 'Until then the bytes are awaited.' }),
    in_use: z.boolean().meta({ description: 'Whether something names the file, so that it cannot be deleted.' }),
    deleted_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the ready file is deleted, unless something names it by then.' }),
    upload: target.nullable().meta({ description: 'While bytes are awaited.' }),
    url: z
      .url()
      .nullable()
      .meta({ description: 'Of a ready file. Stable when it is public; signed and good for an hour when it is not.' }),
    ...members.last,
  })
  .meta({ id: 'Upload', description: 'A file of the school, and how it gets there.' });

/** The reply after parsing. */
export type UploadReply = z.output<typeof uploadReply>;

/** The body that announces an upload. */
export const requestUploadBody = z.strictObject({ ...fields, content_type: mediaType }).meta({
  id: 'RequestUpload',
  description: 'What is going to be sent.',
  example: {
    purpose: 'product_file',
    filename: 'templates.pdf',
    content_type: 'application/pdf',
    size: 120_000,
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
});

/** What is announced, after parsing. */
export type RequestUpload = z.output<typeof requestUploadBody>;

/** The path parameter. An id of another form is none of ours. */
export const uploadParams = z.object({ upload: z.string().max(100) });
