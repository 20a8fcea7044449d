import { z } from 'zod';
import { publishedRelease } from '../release.ts';
import { fileReferenceFacts } from '../files/file-references.ts';
import { published, subjectEvents } from './declaration.ts';

const amount = z.number().int().meta({ description: 'In minor units of the currency' });

const price = z.object({ id: z.string(), amount, currency: z.string() }).meta({ id: 'ShownPrice' });

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

const position = z.number().int().meta({ description: 'From 0, among all that there are, drafts too' });

/** What has a price: a course or a digital product. */
const item = { item_type: z.enum(['course', 'digital_product']), item_id: z.string() };

const never_listed = z
  .literal(true)
  .optional()
  .meta({ description: 'Nobody ever found the course in the lists; left out: somebody may have' });

const teaching = z.object({ course_id, lecturer_id: z.string() });
const lecturer = z.object({ lecturer_id: z.string() });

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
      seat_limit: z.number().int().nullable().meta({ description: 'null = no limit' }),
      lecturer_ids: z.array(z.string()),
      access_days: z.number().int().nullable().meta({ description: 'Days that access lasts; null = for ever' }),
      never_listed,
    }),
    { feed: { scope: 'courses:read', shows: 'listing', means: 'A public course looks like this' }, offer: 'course' },
  ),
  EnrollmentPeriodSet: published(
    1,
    z.object({
      course_id,
      opens_at: z.string().nullable().optional(),
      closes_at: z.string().nullable().optional(),
      presale_opens_at: z.string().nullable().optional(),
    }),
    {
      means:
        'From when to when people may enroll in a course, drafts too, and from when on they may buy before that (RFC 3339); null = no such bound, left out = it stays',
    },
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
      amount,
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
  /** Everybody is shown this of the seats of a course, drafts too: some were taken, or are free again. */
  CourseSeatsShown: published(1, z.object({ course_id, seats: z.enum(['none', 'few', 'available']) }), {
    feed: {
      scope: 'courses:read',
      shows: 'staff',
      means: 'So many seats of a course, drafts too, are left: none, few, or more',
      of: 'course_id',
    },
    offer: 'course',
  }),
  /** The lecturer teaches the course, drafts too. */
  LecturerAssigned: published(1, teaching, {
    feed: { scope: 'courses:read', shows: 'staff', means: 'A lecturer teaches a course, drafts too' },
  }),
  LecturerUnassigned: published(1, teaching, {
    feed: { scope: 'courses:read', shows: 'staff', means: 'A lecturer teaches a course no longer' },
  }),
  // For services that name lecturers: no person is in it. Between the services.
  LecturerArchived: published(1, lecturer, { means: 'The profile of a lecturer is public no longer' }),
  LecturerRestored: published(1, lecturer, { means: 'The profile of a lecturer is public again' }),
  LecturerRemoved: published(1, lecturer, { means: 'There is no such lecturer any more' }),
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
  SectionAdded: published(1, z.object({ course_id, section_id, release: publishedRelease, position }), {
    means: 'A course has another section',
  }),
  SectionReleaseSet: published(1, z.object({ course_id, section_id, release: publishedRelease }), {
    means: 'When a section of a course opens was set',
  }),
  SectionRemoved: published(1, z.object({ course_id, section_id }), {
    means: 'A section of a course was removed, with all its lessons',
  }),
  LessonAdded: published(1, z.object({ course_id, lesson_id, section_id, position }), {
    means: 'A section of a course has another lesson',
  }),
  CurriculumReordered: published(
    1,
    z.object({ course_id, tree: z.array(z.object({ id: section_id, lessons: z.array(lesson_id) })) }),
    { means: 'All sections and lessons of a course, in another order' },
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
