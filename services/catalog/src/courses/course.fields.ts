import { z } from 'zod';
import { richText } from '../rich-text.ts';
import { httpsUrl, instant, line, paragraph } from '@lyceum/web';

/** How people get in: bought, free with an account, open to everyone, with a plan, or bought before it opens. */
export const accessKinds = ['paid', 'free', 'open', 'members', 'presale'] as const;
export const statuses = ['draft', 'published', 'unpublished', 'archived'] as const;
const listings = ['listed', 'unlisted'] as const;
const levels = ['beginner', 'intermediate', 'advanced', 'any'] as const;

const isLanguageTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

const language = z
  .string()
  .max(35)
  .refine(isLanguageTag, 'must be a BCP 47 language tag')
  .overwrite((tag) => (isLanguageTag(tag) ? Intl.getCanonicalLocales(tag)[0]! : tag));

const withoutRepeats = (values: string[]): string[] => [...new Set(values)];

export const slug = z
  .string()
  .regex(/^[a-z0-9-]{3,80}$/, 'must be 3 to 80 of a-z, 0-9 and -')
  .meta({
    description: 'Name in addresses, unique in the school. A course that moves keeps its old slugs as redirects.',
    example: 'paper-lanterns',
  });

export const opaqueId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id');

export const lecturerIds = z
  .array(opaqueId)
  .overwrite(withoutRepeats)
  .max(10)
  .meta({ description: 'Who teaches it, in the order of assignment.' });

export const seatLimit = z.int().min(1).nullable().meta({ description: 'Most people at a time; null = no limit.' });

export const amount = z.int().min(0).meta({ description: 'In minor units of the currency.', example: 4900 });
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
  .meta({ description: 'ISO 4217 code: the currency of the school.', example: 'USD' });

/**
 * What describes a course and has no rule of its own beyond its shape. Slug, prices, seats and lecturers have rules and
 * events of their own.
 */
export const courseFields = z.object({
  title: line(1, 200).meta({ example: 'Paper lanterns from scratch' }),
  subtitle: line(0, 200).nullable(),
  summary: paragraph(500).nullable().meta({ description: 'For cards and search results.' }),
  description: richText,
  cover: httpsUrl().nullable().meta({ description: 'https address of an image.' }),
  tags: z.array(line(1, 40)).overwrite(withoutRepeats).max(20),
  category: line(1, 60).nullable(),
  level: z.enum(levels).nullable(),
  language: language.nullable().meta({ description: 'BCP 47 tag of the language it is taught in.', example: 'pt-PT' }),
  certificate: z.boolean().meta({ description: 'Whether completing it earns a certificate.' }),
  access: z.enum(accessKinds),
  enrollment_opens_at: instant().nullable(),
  enrollment_closes_at: instant().nullable().meta({ description: 'After enrollment_opens_at.' }),
  presale_opens_at: instant().nullable(),
  access_days: z.int().min(1).nullable().meta({ description: 'Days that access lasts; null = forever.' }),
  listing: z.enum(listings).meta({ description: 'Unlisted courses are in no list and found by slug only.' }),
  internal_note: paragraph(5000).nullable(),
});

export type CourseFields = z.output<typeof courseFields>;
