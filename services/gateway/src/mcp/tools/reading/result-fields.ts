import type { Scope } from '@lyceum/contracts';
import { z } from 'zod';
import type { CallContext } from '../../server/server-definition.ts';

/** Largest number of items in an answer. */
export const limit = (most: number, standard: number) => z.int().min(1).max(most).default(standard);

/** Where a list goes on. */
export const cursor = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .meta({ description: '`next_cursor` of the page before, with the same filters' });

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: 'ISO 4217' });

export const money = z.strictObject({
  amount: z.int().min(0).meta({ description: 'Minor units' }),
  currency: z.string(),
});

const views = ['anonymous', 'member', 'staff'] as const;

/** How much of the school the answer shows. */
export const view = z.strictObject({
  as: z.enum(views),
  scopes_used: z.array(z.string()),
});

/** How much was shown, and which scopes of the token opened it. */
export const viewOf = (
  bodyIfFound: unknown,
  { caller: { principal } }: CallContext,
  ...scopes: readonly Scope[]
): z.output<typeof view> => ({
  as: views.find((each) => each === bodyIfFound) ?? (principal ? 'member' : 'anonymous'),
  scopes_used: scopes.filter((scope) => principal?.scopes.has(scope)),
});

/** A course in a result. */
export const card = z.strictObject({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  summary: z.string().nullable(),
  url: z.string(),
  access: z.string().nullable(),
  price: money.nullable(),
  category: z.string().nullable(),
  level: z.string().nullable(),
  language: z.string().nullable(),
  lecturers: z.array(z.string()).meta({ description: 'Ids' }),
  lesson_count: z.int(),
  duration_min: z.int(),
  status: z.string().optional().meta({ description: 'Staff only' }),
  counts: z.looseObject({}).nullable().optional().meta({ description: 'Staff only' }),
});

/** What a list of things gives that the services describe themselves. */
export const listOutput = z.strictObject({
  items: z.array(z.looseObject({})),
  next_cursor: z.string().nullable(),
});
