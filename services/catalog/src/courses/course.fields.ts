import { httpsUrl, instant, line, paragraph, richText } from '@lyceum/contracts';
import { z } from 'zod';
import { opaqueId } from '../values/prices.ts';

/** How people get in: bought, free with an account, open to everyone, with a plan, or bought before it opens. */
export const accessKinds = ['paid', 'free', 'open', 'members', 'presale'] as const;

/** What a course goes through. */
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

/** The lecturers of a course: ids of profiles. */
export const lecturerIds = z
  .array(opaqueId)
  .overwrite(withoutRepeats)
  .max(10)
  .meta({ description: 'Who teaches it, in the order of assignment.' });

/** The seats of a course. */
export const seatLimit = z.int().min(1).nullable().meta({ description: 'Most people at a time; null = no limit.' });

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

/** What describes a course, after parsing. */
export type CourseFields = z.output<typeof courseFields>;
