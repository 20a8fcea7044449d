import { z } from 'zod';
import { imageAddress, imageInput, richTextOrNone, slug } from '@lyceum/contracts';
import { membersOf, mergePatch, reference, staff } from '@lyceum/service';
import { pricesBody, pricesReply } from '../values/prices.ts';
import { shownSeats } from '../seats/seats.events.ts';
import { courseFields, lecturerIds, seatLimit, statuses } from './course.fields.ts';

const field = courseFields.shape;
const members = membersOf('course', 'course');

/** A course as clients read it. */
export const courseReply = z
  .object({
    ...members.first,
    ...field,
    cover: imageAddress().nullable(),
    slug,
    lecturer_ids: lecturerIds,
    lesson_count: z.int().min(0).meta({ description: 'Published lessons.' }),
    duration_s: z.int().min(0).meta({ description: 'Seconds of all published lessons.' }),
    published_at: z.iso.datetime().nullable().meta({ description: 'First publication.' }),
    prices: pricesReply,
    seats: shownSeats.meta({ description: 'few = a tenth of the limit or less, at least one; none = sold out.' }),
    seat_limit: seatLimit.meta(staff),
    seats_taken: z
      .int()
      .min(0)
      .meta({
        ...staff,
        description:
          'By orders, the staff and members themselves, while there is a limit. Above the limit: nothing more is given.',
      }),
    listing: field.listing.meta(staff),
    status: z.enum(statuses).meta(staff),
    stats: z
      .object({ enrollments: z.int().min(0) })
      .nullable()
      .meta({ id: 'CourseStats', ...staff, description: 'null until the learning service reports.' }),
    internal_note: field.internal_note.meta(staff),
    ...members.last,
  })
  .meta({ id: 'Course', description: 'A course.' });

/** A course as clients read it, after parsing. */
export type CourseReply = z.output<typeof courseReply>;

/** A course in a list: everything but the description, which may be 64 KiB. */
export const courseItem = courseReply
  .omit({ description: true })
  .meta({ id: 'CourseItem', description: 'A course in a list: without its description.' });

/** A course in a list, after parsing. */
export type CourseItem = z.output<typeof courseItem>;

/** What may be set. Null clears; a list replaces the list. */
const settable = {
  slug: slug.optional(),
  subtitle: field.subtitle.optional(),
  summary: field.summary.optional(),
  description: richTextOrNone.optional(),
  cover: imageInput().nullable().optional(),
  tags: field.tags.nullable().optional(),
  category: field.category.optional(),
  level: field.level.optional(),
  language: field.language.optional(),
  lecturer_ids: lecturerIds.nullable().optional(),
  certificate: field.certificate.nullable().optional(),
  access: field.access.optional(),
  prices: pricesBody.nullable().optional(),
  enrollment_opens_at: field.enrollment_opens_at.optional(),
  enrollment_closes_at: field.enrollment_closes_at.optional(),
  presale_opens_at: field.presale_opens_at.optional(),
  access_days: field.access_days.optional(),
  seat_limit: seatLimit.optional(),
  listing: field.listing.optional(),
  internal_note: field.internal_note.optional(),
};

/** The body that creates a course. */
export const createCourseBody = z.strictObject({ title: field.title, ...settable }).meta({
  id: 'CreateCourse',
  description: 'Only the title is needed. access is paid when prices are given, else free, unless stated.',
  example: { title: 'Paper lanterns from scratch', access: 'paid', prices: [{ amount: 4900 }] },
});

/** The body that changes a course. */
export const changeCourseBody = mergePatch(
  { title: field.title.optional(), ...settable },
  { id: 'ChangeCourse', example: { subtitle: 'With LED candles', access_days: null } },
);

/** The body that duplicates a course; none = as it is. */
export const duplicateCourseBody = z
  .strictObject({ title: field.title.optional(), slug: slug.optional() })
  .optional()
  .meta({ id: 'DuplicateCourse', example: { title: 'Paper lanterns, spring group' } });

/** The body that changes a course, after parsing. */
export type ChangeCourseBody = z.output<typeof changeCourseBody>;

/** The body that creates a course, after parsing. */
export type CreateCourseBody = z.output<typeof createCourseBody>;

/** An id or a slug; anything else names no course. */
export const courseParams = z.object({ course: reference('course') });

/** What publishing a course still needs. */
export const readinessReply = z
  .object({
    object: z.literal('readiness'),
    ready: z.boolean(),
    unmet: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
  })
  .meta({ id: 'Readiness', description: 'What a course still needs to be published.' });
