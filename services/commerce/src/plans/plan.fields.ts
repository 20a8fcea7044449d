import { line, paragraph } from '@lyceum/contracts';
import { z } from 'zod';

/** What a plan goes through: a retired one renews for those who have it, and is sold no more. */
export const planStatuses = ['draft', 'active', 'retired'] as const;

/** How a plan is paid: again and again, once for a time, or once for good. */
export const planKinds = ['recurring', 'fixed_term', 'lifetime'] as const;

const intervals = ['month', 'year'] as const;

const itemIds = z
  .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id'))
  .max(200)
  .overwrite((ids) => [...new Set(ids)]);

const allOrSome = z
  .union([z.literal('all'), itemIds])
  .meta({ id: 'GrantedItems', description: 'All there are, also those to come, or these.' });

/** What a plan opens to those who have it. */
export const planGrants = z.strictObject({
  courses: allOrSome.default([]),
  digital_products: allOrSome.default([]),
  posts: z.boolean().default(false).meta({ description: 'Posts that are for members.' }),
  event_discount_percent: z.int().min(0).max(100).default(0).meta({ description: 'Off the price of events.' }),
});

/** What a plan costs and how long that is for: as it was sold, for as long as it renews. */
export const planTerms = z.object({
  kind: z.enum(planKinds),
  interval: z.enum(intervals).nullable().meta({ description: 'null for what is for life.' }),
  interval_count: z.int().min(1).max(24).nullable().meta({ description: 'Intervals of one payment; null for life.' }),
  amount: z.int().min(0),
  currency: z.string(),
});

/** What describes a plan beside its terms. */
export const planFields = z.object({
  name: line(1, 200).meta({ example: 'Friends of the workshop' }),
  summary: paragraph(500).nullable().meta({ description: 'For cards and search results.' }),
  description: paragraph(10_000).nullable().meta({ description: 'Plain text.' }),
  benefits: z.array(line(1, 200)).max(20).meta({ description: 'What it is good for, one line each.' }),
  position: z.int().min(0).max(10_000).meta({ description: 'Plans are listed by it, the smallest first.' }),
  trial_days: z.int().min(0).max(90).meta({ description: 'Days before the first payment; recurring plans only.' }),
  visible: z.boolean().meta({ description: 'Whether it is listed; otherwise it is found by its slug only.' }),
  max_subscribers: z.int().min(1).max(1_000_000).nullable().meta({ description: 'At a time; null = no limit.' }),
});
