import { z } from 'zod';
import { publishedRelease } from '../release.ts';
import { fileReferenceFacts } from '../files/file-references.ts';
import { published, subjectEvents } from './declaration.ts';

/** In minor units. */
const price = z.object({ id: z.string(), amount: z.number().int(), currency: z.string() }).meta({ id: 'ShownPrice' });

const course_id = z.string();
const lesson_id = z.string();

/** What everybody may know of a lesson. `release` says when it opens: at once, or by its `type`. */
const lesson = z.object({
  course_id,
  lesson_id,
  title: z.string(),
  type: z.string(),
  duration_s: z.number().int(),
  preview: z.boolean(),
  required: z.boolean(),
  pass_mark: z.number().int().nullable(),
  release: publishedRelease,
});

const section_id = z.string();

/** From 0, among all that there are, drafts too. */
const position = z.number().int();

/** What has a price: a course or a digital product. */
const item = { item_type: z.enum(['course', 'digital_product']), item_id: z.string() };

/** Nobody ever found the course in the lists. Left out: somebody may have. */
const never_listed = z.literal(true).optional();

const teaching = z.object({ course_id, lecturer_id: z.string() });

/** What the catalog service publishes. */
export const catalogFacts = {
  ...subjectEvents,
  ...fileReferenceFacts,
  CoursePublished: published(
    1,
    z.object({ course_id: z.string(), slug: z.string(), title: z.string(), access: z.string(), listed: z.boolean() }),
    {
      feed: {
        scope: 'courses:read',
        shows: 'listed',
        means: 'A course became public; CourseShown follows with all of it',
      },
      offer: 'course',
    },
  ),
  /** A published course looks like this: follows its publication, and each change while it is published. */
  CourseShown: published(
    1,
    z.object({
      course_id,
      slug: z.string(),
      title: z.string(),
      summary: z.string().nullable(),
      access: z.string(),
      listed: z.boolean(),
      prices: z.array(price),
      /** null = no limit. */
      seat_limit: z.number().int().nullable(),
      lecturer_ids: z.array(z.string()),
      /** Days that access lasts; null = forever. */
      access_days: z.number().int().nullable(),
      never_listed,
    }),
    { feed: { scope: 'courses:read', shows: 'listing', means: 'A public course looks like this' }, offer: 'course' },
  ),
  /**
   * From when to when people may enroll, and from when on they may buy before that, drafts too (RFC 3339); null = no such
   * bound. Left out: it stays.
   */
  EnrollmentPeriodSet: published(
    1,
    z.object({
      course_id,
      opens_at: z.string().nullable().optional(),
      closes_at: z.string().nullable().optional(),
      presale_opens_at: z.string().nullable().optional(),
    }),
  ),
  CourseUnpublished: published(1, z.object({ course_id, never_listed }), {
    feed: { scope: 'courses:read', shows: 'taken-back', means: 'A course is public or listed no longer' },
    offer: 'course',
  }),
  CourseArchived: published(1, z.object({ course_id, never_listed }), {
    feed: { scope: 'courses:read', shows: 'taken-back', means: 'A course was put away for good' },
    offer: 'course',
  }),
  // Drafts have prices, seats and lecturers too: the public reads of them when a course or product is shown.
  /** A price of a course or digital product, drafts too, is this from `effective_at` on (RFC 3339). */
  PriceSet: published(
    1,
    z.object({
      ...item,
      price_id: z.string(),
      /** In minor units. */
      amount: z.number().int(),
      currency: z.string(),
      effective_at: z.string(),
    }),
    {
      feed: {
        scope: 'courses:read',
        shows: 'priced',
        means: 'A price of a course or digital product, drafts too, is this',
      },
    },
  ),
  PriceRemoved: published(1, z.object({ ...item, price_id: z.string(), effective_at: z.string() }), {
    feed: { scope: 'courses:read', shows: 'priced', means: 'A course or digital product has this price no longer' },
  }),
  /** So many may have a seat in a course, drafts too; null = no limit. */
  SeatLimitChanged: published(1, z.object({ course_id, seat_limit: z.number().int().nullable() }), {
    feed: { scope: 'courses:read', shows: 'staff', means: 'A course, drafts too, has so many seats' },
  }),
  /** The lecturer teaches the course, drafts too. */
  LecturerAssigned: published(1, teaching, {
    feed: { scope: 'courses:read', shows: 'staff', means: 'A lecturer teaches a course, drafts too' },
  }),
  LecturerUnassigned: published(1, teaching, {
    feed: { scope: 'courses:read', shows: 'staff', means: 'A lecturer teaches a course no longer' },
  }),
  // Lessons are published before their course is, so the feed has them for the staff only.
  LessonPublished: published(1, lesson, {
    feed: {
      scope: 'curriculum:read',
      shows: 'staff',
      means: 'A lesson stands in the outline of its course',
      of: 'lesson_id',
    },
    offer: 'course',
  }),
  /** A published lesson is another one in its outline or in what it teaches. */
  LessonChanged: published(1, lesson, {
    feed: { scope: 'curriculum:read', shows: 'staff', means: 'A published lesson was changed', of: 'lesson_id' },
    offer: 'course',
  }),
  LessonUnpublished: published(1, z.object({ course_id, lesson_id }), {
    feed: { scope: 'curriculum:read', shows: 'staff', means: 'A lesson is a draft again', of: 'lesson_id' },
    offer: 'course',
  }),
  LessonRemoved: published(1, z.object({ course_id, lesson_id }), {
    feed: { scope: 'curriculum:read', shows: 'staff', means: 'A lesson was deleted', of: 'lesson_id' },
    offer: 'course',
  }),
  // Where lessons stand and what their sections wait for, drafts too, by ids only: between the services.
  SectionAdded: published(1, z.object({ course_id, section_id, release: publishedRelease, position })),
  SectionReleaseSet: published(1, z.object({ course_id, section_id, release: publishedRelease })),
  /** With all its lessons. */
  SectionRemoved: published(1, z.object({ course_id, section_id })),
  LessonAdded: published(1, z.object({ course_id, lesson_id, section_id, position })),
  /** All sections and lessons in another order. */
  CurriculumReordered: published(
    1,
    z.object({ course_id, tree: z.array(z.object({ id: section_id, lessons: z.array(lesson_id) })) }),
  ),
  /** How many published lessons a course has, and how long they take, seconds. */
  CurriculumTotalled: published(
    1,
    z.object({ course_id, lesson_count: z.number().int(), duration_s: z.number().int() }),
    {
      feed: {
        scope: 'curriculum:read',
        shows: 'staff',
        means: 'A course has so many published lessons, and they take so long',
        of: 'course_id',
        below: 'curriculum',
      },
      offer: 'course',
    },
  ),
  /** A digital product is public and looks like this. `files` counts them. */
  DigitalProductShown: published(
    1,
    z.object({
      product_id: z.string(),
      slug: z.string(),
      title: z.string(),
      summary: z.string().nullable(),
      access: z.string(),
      prices: z.array(price),
      files: z.number().int(),
    }),
    {
      feed: { scope: 'digital_products:read', shows: 'everyone', means: 'A public digital product looks like this' },
      offer: 'digital_product',
    },
  ),
  DigitalProductUnpublished: published(1, z.object({ product_id: z.string() }), {
    feed: { scope: 'digital_products:read', shows: 'everyone', means: 'A digital product is public no longer' },
    offer: 'digital_product',
  }),
  DigitalProductArchived: published(1, z.object({ product_id: z.string() }), {
    feed: { scope: 'digital_products:read', shows: 'everyone', means: 'A digital product was put away for good' },
    offer: 'digital_product',
  }),
} as const;
