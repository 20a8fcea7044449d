import { httpsUrl, line, paragraph, richText } from '@lyceum/contracts';
import { z } from 'zod';
import { type KeptFile, fileInput } from '../values/files.ts';

/** What a digital product goes through. */
export const statuses = ['draft', 'published', 'unpublished', 'archived'] as const;

/** How people get it: bought, free with an account, or with a plan. */
export const accessKinds = ['paid', 'free', 'members'] as const;

/** What describes a digital product and has no rule beyond its shape. */
export const productFields = z.object({
  title: line(1, 200).meta({ example: 'Twelve lantern templates' }),
  summary: paragraph(500).nullable().meta({ description: 'For cards and search results.' }),
  description: richText,
  cover: httpsUrl().nullable().meta({ description: 'https address of an image.' }),
  access: z.enum(accessKinds),
  download_limit: z
    .int()
    .min(1)
    .max(100)
    .nullable()
    .meta({ description: 'Downloads for each person; null = any number.' }),
  link_ttl_s: z.int().min(60).max(86_400).meta({ description: 'Seconds that a download link lives.', example: 3600 }),
});

/** What describes a digital product, after parsing. */
export type ProductFields = z.output<typeof productFields>;

/** The files of a digital product as a client names them, in the order that they are offered; each once. */
export const files = z
  .array(fileInput)
  .max(100)
  .refine((list) => new Set(list.map(({ file_id }) => file_id)).size === list.length, 'must be different files');

/** A file that is offered. */
export type File = KeptFile;
