import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { fileReferenceEvents, slug } from '@lyceum/contracts';
import { coverEvents } from '../values/covers.ts';
import { opaqueId, priceEventTypes } from '../values/prices.ts';
import { accessKinds, courseFields, seatLimit } from './course.fields.ts';

const nothing = z.object({});
/** Nobody ever found the course in the lists. Left out: somebody may have, also where a release of before wrote it. */
const never_listed = z.literal(true).optional();
const lecturer = z.object({ lecturer_id: opaqueId });

/** The facts of a course. */
export const courseEvents = {
  CourseCreated: {
    version: 1,
    data: z.object({
      course_id: z.string(),
      slug,
      fields: courseFields,
      /** Subject of the person who created it: it stays theirs to edit. */
      created_by: z.string(),
      /** The course that this one is a copy of. */
      copied_from: z.string().optional(),
    }),
  },
  CourseChanged: { version: 1, data: z.object({ fields: courseFields.partial() }) },
  CourseSlugChanged: { version: 1, data: z.object({ slug }) },
  ...priceEventTypes,
  SeatLimitChanged: { version: 1, data: z.object({ seat_limit: seatLimit }) },
  LecturerAssigned: { version: 1, data: lecturer },
  LecturerUnassigned: { version: 1, data: lecturer },
  /** Carries what other services show of it, so that none has to call back. */
  CoursePublished: {
    version: 1,
    data: z.object({ slug, title: z.string(), access: z.enum(accessKinds), listed: z.boolean() }),
  },
  /** What others show and sell of it. Follows a publication, and every change of it while it is published. */
  CourseShown: {
    version: 1,
    data: z.object({
      slug: z.string(),
      title: z.string(),
      summary: z.string().nullable(),
      access: z.string(),
      listed: z.boolean(),
      prices: z.array(z.object({ id: z.string(), amount: z.int(), currency: z.string() })),
      seat_limit: z.int().nullable(),
      lecturer_ids: z.array(z.string()),
      access_days: z.int().nullable(),
      never_listed,
    }),
  },
  ...coverEvents,
  ...fileReferenceEvents,
  CourseUnpublished: { version: 1, data: z.object({ never_listed }) },
  CourseArchived: { version: 1, data: z.object({ never_listed }) },
  CourseDeleted: { version: 1, data: nothing },
} as const satisfies EventTypes;

/** An event of a course. */
export type CourseEvent = EventOf<typeof courseEvents>;
