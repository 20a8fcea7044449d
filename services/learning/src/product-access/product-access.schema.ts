import { membersOf, staff } from '@lyceum/service';
import { listOf } from '@lyceum/web';
import { z } from 'zod';
import { accessEnd, accessMembers, grantsReply } from '../grants/grant.schema.ts';
import { productId } from '../products/product-id.ts';

const members = membersOf('product_access', 'product_access');

const downloadableFile = z
  .object({
    file_id: z.string().meta({ example: 'upload_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    name: z.string(),
    size: z.int().meta({ description: 'Bytes.' }),
    type: z.string().meta({ example: 'application/pdf' }),
  })
  .meta({ id: 'DownloadableFile' });

/** The access to a digital product as clients read it. */
export const productAccessReply = z
  .object({
    ...members.first,
    member_id: z.string().meta(staff),
    product_id: z.string(),
    product_title: z.string().nullable().meta({ description: 'As it is now.' }),
    ...accessMembers,
    downloads: z.int().meta({ description: 'Downloads so far, of all files.' }),
    downloads_left: z.int().nullable().meta({ description: 'null = any number; 0 without access.' }),
    files: z.array(downloadableFile).meta({ description: 'What may be downloaded; empty without access.' }),
    grants: grantsReply,
    ...members.last,
  })
  .meta({ id: 'ProductAccess', description: 'The access of one member to one digital product.' });

/** A page of accesses. */
export const productAccessList = listOf(productAccessReply).meta({ id: 'ProductAccessList' });

/** The body by which the staff give a member a digital product. */
export const giveProductBody = z.strictObject({ product_id: productId, expires_at: accessEnd.optional() }).meta({
  id: 'GiveProduct',
  description: 'Without `expires_at` access never ends.',
  example: { product_id: 'product_0195a3c2-7d10-7abc-8def-0123456789ab' },
});
