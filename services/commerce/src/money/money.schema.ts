import { z } from 'zod';

/** What is paid or asked for. */
export const money = z
  .object({
    amount: z.int().meta({ description: 'Minor units of the currency: cents of USD, yen of JPY.', example: 4900 }),
    currency: z.string().meta({ description: 'ISO 4217.', example: 'USD' }),
  })
  .meta({ id: 'Money', description: 'An amount of money.' });
