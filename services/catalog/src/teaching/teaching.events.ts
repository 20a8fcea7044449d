import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What is kept of a lecturer beside the profile, in a stream of its own, which the profile's version does not know. */
export const teachingEvents = {
  /** A public course counts on the lecturer, from here on or again. Whether it still does, the course tells. */
  CourseTaught: { version: 1, data: z.object({ course_id: z.string() }) },
} as const satisfies EventTypes;

/** An event of who teaches a course. */
export type TeachingEvent = EventOf<typeof teachingEvents>;
