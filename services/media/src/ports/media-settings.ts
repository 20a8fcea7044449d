import { z } from 'zod';
import { join } from 'node:path';
import type { ModulePorts } from '@lyceum/service';

const gibibyte = 1024 ** 3;

/** What the operator says about files. */
export const mediaSettings = z.object({
  MEDIA_DIR: z.string().optional().meta({
    description: 'Directory of uploaded files, for one process of the service; DATA_DIR/files when not given',
  }),
  STORAGE_QUOTA_GB: z
    .string()
    .regex(/^\d{1,6}$/, 'whole gibibytes from 1 to 100000')
    .transform(Number)
    .refine((number) => number >= 1 && number <= 100_000, 'whole gibibytes from 1 to 100000')
    .default(20)
    .meta({ description: 'How much each school may have in storage, unfinished uploads included' }),
});

/** The settings after parsing. */
export type MediaSettings = z.output<typeof mediaSettings>;

/** Where the files are. */
export const directoryOf = ({ MEDIA_DIR, DATA_DIR }: ModulePorts<MediaSettings>['settings']): string =>
  MEDIA_DIR ?? join(DATA_DIR, 'files');

/** Bytes that each school may have. */
export const quotaOf = ({ STORAGE_QUOTA_GB }: MediaSettings): number => STORAGE_QUOTA_GB * gibibyte;
