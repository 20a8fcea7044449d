import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { grantFields } from '../grants/grant.ts';

const id = z.string();
const enrolled = { member_id: id, course_id: id };

/** Where in a lesson the member is, seconds from its beginning; null = not said. */
const position_s = z.int().nullable();
const lesson = { ...enrolled, lesson_id: id };
const seat = { ...enrolled, request_id: id };

/** The facts of one member's access to one course and of what was learnt there, in a stream of the two. */
export const enrollmentEvents = {
  AccessGranted: { version: 1, data: z.object({ ...enrolled, ...grantFields.granted }) },
  AccessExtended: { version: 1, data: z.object({ ...enrolled, ...grantFields.extended }) },
  /** Also of a grant that did not come yet: it will not count. */
  AccessRevoked: { version: 1, data: z.object({ ...enrolled, ...grantFields.revoked }) },
  /** The member is to have a seat: there is access only once the commerce service, which counts them, gives one. */
  SeatRequested: { version: 1, data: z.object(seat) },
  /** A grant waits for the seat, or lasts until another time once it comes. */
  AccessAwaited: { version: 1, data: z.object({ ...enrolled, ...grantFields.extended }) },
  /** The seat came; the grants that waited for it follow. */
  SeatObtained: { version: 1, data: z.object(seat) },
  /** There is no seat: the grants that waited for it come to nothing. */
  SeatRefused: { version: 1, data: z.object(seat) },
  /** No grant is left that the seat is for, or nobody who waits for it. */
  SeatReturned: { version: 1, data: z.object(seat) },
  /** The first live grant; `again`: the enrollment had lapsed. */
  EnrollmentActivated: { version: 1, data: z.object({ ...enrolled, source_type: z.string(), again: z.boolean() }) },
  /** No live grant any more. */
  EnrollmentLapsed: { version: 1, data: z.object({ ...enrolled, reason: z.string() }) },
  LessonStarted: { version: 1, data: z.object({ ...lesson, position_s }) },
  /** The member has moved on in the lesson, or back. */
  LessonPositionKept: { version: 1, data: z.object({ ...lesson, position_s: z.int() }) },
  /** With what was completed then of what the course asked for then. */
  LessonCompleted: {
    version: 1,
    data: z.object({ ...lesson, position_s, completed: z.int(), required: z.int(), percent: z.int() }),
  },
  /** All that the course asked for at the time; once, until the progress is reset. */
  EnrollmentCompleted: { version: 1, data: z.object({ ...enrolled, required: z.int() }) },
  /** The member begins anew. What was completed before stands in the log only. */
  ProgressReset: { version: 1, data: z.object(enrolled) },
  /** There is a certificate of the completion, in a stream of its own. */
  EnrollmentCertified: { version: 1, data: z.object({ ...enrolled, certificate_id: id }) },
} as const satisfies EventTypes;

/** An event of an enrollment. */
export type EnrollmentEvent = EventOf<typeof enrollmentEvents>;
