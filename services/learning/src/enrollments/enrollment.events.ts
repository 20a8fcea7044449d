import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const id = z.string();
const enrolled = { member_id: id, course_id: id };

/** A grant, by what it came from. The id follows from source and item, so the same grant never comes twice. */
const grant = { ...enrolled, grant_id: id, source_type: z.string(), source_id: id };

/** RFC 3339; null = for ever. */
const expires_at = z.string().nullable();

/** The facts of one member's access to one course, in a stream of the two. */
export const enrollmentEvents = {
  AccessGranted: { version: 1, data: z.object({ ...grant, starts_at: z.string(), expires_at }) },
  AccessExtended: { version: 1, data: z.object({ ...grant, expires_at }) },
  /** Also of a grant that did not come yet: it will not count. */
  AccessRevoked: { version: 1, data: z.object({ ...grant, reason: z.string() }) },
  /** The first live grant; `again`: the enrollment had lapsed. */
  EnrollmentActivated: { version: 1, data: z.object({ ...enrolled, source_type: z.string(), again: z.boolean() }) },
  /** No live grant any more. */
  EnrollmentLapsed: { version: 1, data: z.object({ ...enrolled, reason: z.string() }) },
} as const satisfies EventTypes;

/** An event of an enrollment. */
export type EnrollmentEvent = EventOf<typeof enrollmentEvents>;
