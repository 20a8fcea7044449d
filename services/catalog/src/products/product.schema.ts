import { z } from 'zod';
import { file, fileSummary } from '../values/files.ts';
import { pricesBody, pricesReply } from '../values/prices.ts';
import { imageAddress, imageInput, richTextOrNone, slug } from '@lyceum/contracts';
import { membersOf, mergePatch, staff } from '@lyceum/service';
import { files, productFields, statuses } from './product.fields.ts';

const field = productFields.shape;
const members = membersOf('product', 'digital_product');

/** A digital product as clients read it. */
export const productReply = z
  .object({
    ...members.first,
    ...field,
    cover: imageAddress().nullable(),
    slug,
    prices: pricesReply,
    file_summaries: z.array(fileSummary).meta({ description: 'What one gets: names, sizes and types.' }),
    published_at: z.iso.datetime().nullable().meta({ description: 'First publication.' }),
    files: z.array(file).meta(staff),
    downloads: z
      .array(file)
      .meta({ sees: 'member', description: 'The files, for those who may download them by `issueDownload`.' }),
    downloads_left: z
      .int()
      .nullable()
      .meta({ sees: 'member', description: 'How often they still may, all files together; null = any number.' }),
    download_limit: field.download_limit.meta(staff),
    link_ttl_s: field.link_ttl_s.meta(staff),
    status: z.enum(statuses).meta(staff),
    ...members.last,
  })
  .meta({ id: 'DigitalProduct', description: 'Something to download.' });

/** A digital product as clients read it, after parsing. */
export type ProductReply = z.output<typeof productReply>;

/** A product in a list. */
export const productItem = productReply
  .omit({ description: true, downloads: true, downloads_left: true })
  .meta({ id: 'DigitalProductItem', description: 'A digital product in a list: without its description.' });

const settable = {
  slug: slug.optional(),
  summary: field.summary.optional(),
  description: richTextOrNone.optional(),
  cover: imageInput().nullable().optional(),
  access: field.access.optional(),
  prices: pricesBody.nullable().optional(),
  download_limit: field.download_limit.optional(),
  link_ttl_s: field.link_ttl_s.optional(),
};

/** The body that creates a digital product. */
export const createProductBody = z.strictObject({ title: field.title, ...settable }).meta({
  id: 'CreateDigitalProduct',
  description: 'Only the title is needed. access is paid when prices are given, else free, unless stated.',
  example: { title: 'Twelve lantern templates', prices: [{ amount: 900 }] },
});

/** The body that changes a digital product. */
export const changeProductBody = mergePatch(
  { title: field.title.optional(), ...settable },
  { id: 'ChangeDigitalProduct', example: { summary: 'For A4 and Letter.' } },
);

/** The body that sets the files of a digital product. */
export const filesBody = z.strictObject({ files }).meta({
  id: 'DigitalProductFiles',
  description: 'All files, in the order that they are offered.',
  example: { files: [{ file_id: 'upload_0195a3c2-7d10-7abc-8def-0123456789ab', name: 'templates.pdf' }] },
});
