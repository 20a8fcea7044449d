import { z } from 'zod';

/** What the operator says about what visitors write. */
export const contentSettings = z.object({
  SUBMISSION_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,5}$/, 'whole days from 1 to 36500')
    .transform(Number)
    .refine((days) => days >= 1 && days <= 36_500, 'whole days from 1 to 36500')
    .default(730)
    .meta({ description: 'How long what visitors send by forms is kept; then it is deleted, and its key destroyed' }),
});

/** The settings after parsing. */
export type ContentSettings = z.output<typeof contentSettings>;
