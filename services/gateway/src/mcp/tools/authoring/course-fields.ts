import { z } from 'zod';

/** Text with blocks, as the services take it. */
export const richTextInput = z
  .union([z.string().max(65_536), z.array(z.looseObject({ type: z.string() })).max(1_000)])
  .meta({ description: 'Plain text, an empty line begins a paragraph; or blocks' });

const instant = z.iso.datetime().nullable().optional();
const words = (most: number) => z.string().max(most).nullable().optional();

/** What of a course may be written. The service judges the values once more; what is left out stays, null clears. */
export const courseFields = z
  .strictObject({
    title: z.string().min(1).max(200).optional().meta({ description: 'A new course needs one' }),
    slug: z
      .string()
      .regex(/^[a-z0-9-]{3,80}$/)
      .optional(),
    subtitle: words(200),
    summary: words(500),
    description: richTextInput.nullable().optional(),
    cover: z.url().nullable().optional().meta({ description: 'https address of an image' }),
    tags: z.array(z.string().min(1).max(40)).max(20).nullable().optional(),
    category: words(60),
    level: z.enum(['beginner', 'intermediate', 'advanced', 'any']).nullable().optional(),
    language: words(35).meta({ description: 'BCP 47 tag' }),
    lecturer_ids: z.array(z.string()).max(10).nullable().optional(),
    certificate: z.boolean().nullable().optional(),
    access: z
      .enum(['paid', 'free', 'open', 'members', 'presale'])
      .optional()
      .meta({ description: 'free: with an account; open: for everyone' }),
    prices: z
      .array(z.strictObject({ id: z.string().optional(), amount: z.int().min(0), currency: z.string().optional() }))
      .max(10)
      .nullable()
      .optional()
      .meta({ description: 'amount in minor units; currency: that of the school' }),
    enrollment_opens_at: instant,
    enrollment_closes_at: instant,
    presale_opens_at: instant,
    access_days: z.int().min(1).nullable().optional().meta({ description: 'null: forever' }),
    seat_limit: z.int().min(1).nullable().optional().meta({ description: 'null: no limit' }),
    listing: z.enum(['listed', 'unlisted']).optional(),
    internal_note: words(5_000),
  })
  .meta({ description: 'What is left out stays; null clears; a list replaces the list' });
