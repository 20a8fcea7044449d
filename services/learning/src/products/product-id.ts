import { z } from 'zod';

/** The id of a digital product, as another service made it. */
export const productId = z
  .string()
  .regex(/^product_[0-9a-f-]{36}$/)
  .meta({ example: 'product_0195a3c2-7d10-7abc-8def-0123456789ab' });
