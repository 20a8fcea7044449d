import { z } from 'zod';

/** What the operator says about people who leave by themselves. */
export const erasureRequestSettings = z.object({
  ERASURE_WAIT_DAYS: z
    .string()
    .regex(/^\d{1,2}$/, 'whole days from 0 to 99')
    .default('14')
    .transform(Number)
    .meta({ description: 'How long people can cancel the erasure that they asked for' }),
});

/** The settings after parsing. */
export type ErasureRequestSettings = z.output<typeof erasureRequestSettings>;
