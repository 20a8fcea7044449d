import { z } from 'zod';
import { productId } from '../products/product-id.ts';

/** The body that asks for a download. */
export const downloadBody = z
  .strictObject({
    product_id: productId,
    file_id: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'One of its files.', example: 'upload_0195a3c2-7d10-7abc-8def-0123456789ab' }),
  })
  .meta({
    id: 'Download',
    example: {
      product_id: 'product_0195a3c2-7d10-7abc-8def-0123456789ab',
      file_id: 'upload_0195a3c2-7d10-7abc-8def-0123456789ab',
    },
  });

/** A download as its member reads it. */
export const downloadReply = z
  .object({
    object: z.literal('download'),
    product_id: z.string(),
    file_id: z.string(),
    url: z.url().meta({ description: 'Signed: whoever has it may read the file until it ends.' }),
    expires_at: z.iso.datetime().meta({ description: 'When the address ends.' }),
    downloads_left: z.int().nullable().meta({ description: 'Of all files together; null = any number.' }),
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'IssuedDownload', description: 'An address to download a file from.' });
