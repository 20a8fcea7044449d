import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { coverEvents } from '../values/covers.ts';
import { keptFile } from '../values/files.ts';
import { priceEventTypes } from '../values/prices.ts';
import { fileReferenceEvents, slug } from '@lyceum/contracts';
import { productFields } from './product.fields.ts';

const nothing = z.object({});

/** The facts of a digital product. */
export const productEvents = {
  DigitalProductCreated: {
    version: 1,
    data: z.object({ product_id: z.string(), slug, fields: productFields, created_by: z.string() }),
  },
  DigitalProductChanged: { version: 1, data: z.object({ fields: productFields.partial() }) },
  DigitalProductSlugChanged: { version: 1, data: z.object({ slug }) },
  ...priceEventTypes,
  DigitalProductFilesSet: { version: 1, data: z.object({ files: z.array(keptFile) }) },
  ...coverEvents,
  ...fileReferenceEvents,
  DigitalProductPublished: { version: 1, data: nothing },
  /** What others show and sell of it while it is public. Follows a publication, and every change while it is published. */
  DigitalProductShown: {
    version: 1,
    data: z.object({
      slug,
      title: z.string(),
      summary: z.string().nullable(),
      access: z.string(),
      prices: z.array(z.object({ id: z.string(), amount: z.int(), currency: z.string() })),
      files: z.int(),
    }),
  },
  DigitalProductUnpublished: { version: 1, data: nothing },
  DigitalProductArchived: { version: 1, data: nothing },
  DigitalProductDeleted: { version: 1, data: nothing },
} as const satisfies EventTypes;

/** An event of a digital product. */
export type ProductEvent = EventOf<typeof productEvents>;
