import { z } from 'zod';
import { join } from 'node:path';
import { type ModulePorts, StartRefused } from '@lyceum/service';
import type { S3Settings } from '../bytes/s3-store.ts';

const gibibyte = 1024 ** 3;

/** What the operator says about files. */
export const mediaSettings = z.object({
  MEDIA_DIR: z.string().optional().meta({
    description: 'Directory of uploaded files, for one process of the service; DATA_DIR/files when not given',
  }),
  MEDIA_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
    .optional()
    .meta({ description: 'Bucket of an S3-compatible store that files are kept in, in place of MEDIA_DIR' }),
  MEDIA_S3_ENDPOINT: z.url('an absolute URL').optional().meta({ description: 'Origin of the store; unset = Amazon’s' }),
  MEDIA_S3_PUBLIC_ENDPOINT: z
    .url('an absolute URL')
    .optional()
    .meta({ description: 'Origin at which clients send files to the store; unset = MEDIA_S3_ENDPOINT' }),
  MEDIA_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'the name of a region')
    .default('us-east-1')
    .meta({ description: 'Region of the bucket' }),
  MEDIA_S3_PATH_STYLE: z
    .enum(['true', 'false'], 'true or false')
    .default('false')
    .meta({ description: 'true when the bucket stands in the path of addresses, not in the name of the host' }),
  MEDIA_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Who uses the bucket; unset = as the SDK finds it, e.g. by the role of the machine' }),
  MEDIA_S3_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The secret of MEDIA_S3_ACCESS_KEY_ID', secret: true }),
  MEDIA_SCAN_URL: z.url('an absolute URL').optional().meta({
    description:
      'Where a scanner takes the bytes of each file by POST and says whether it is clean; unset = none is asked',
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

/** The bucket that files are in; undefined when they are in a directory. Throws `StartRefused` for half a key. */
export function bucketOf(settings: MediaSettings): S3Settings | undefined {
  const { MEDIA_S3_BUCKET: bucket, MEDIA_S3_REGION: region, MEDIA_S3_PATH_STYLE: style } = settings;
  const { MEDIA_S3_ACCESS_KEY_ID: accessKeyId, MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (bucket === undefined) return undefined;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new StartRefused(
      'MEDIA_S3_ACCESS_KEY_ID and MEDIA_S3_SECRET_ACCESS_KEY belong together: one of them is not set',
    );
  return {
    bucket,
    region,
    pathStyle: style === 'true',
    endpoint: settings.MEDIA_S3_ENDPOINT,
    publicEndpoint: settings.MEDIA_S3_PUBLIC_ENDPOINT,
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  };
}

/** Bytes that each school may have. */
export const quotaOf = ({ STORAGE_QUOTA_GB }: MediaSettings): number => STORAGE_QUOTA_GB * gibibyte;
