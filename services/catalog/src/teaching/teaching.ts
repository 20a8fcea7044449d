import type { Evolving } from '@lyceum/eventlog';
import { type TeachingEvent, teachingEvents } from './teaching.events.ts';

/** The stream that has the courses of a lecturer. */
export const teachingStream = (lecturer: string): string => lecturer.replace(/^lecturer_/, 'teaching_');

/** The courses that were ever public with a lecturer. */
export const teaching: Evolving<readonly string[], TeachingEvent> = {
  events: teachingEvents,
  initial: [],
  evolve: (taught, { data: { course_id } }) => (taught.includes(course_id) ? taught : [...taught, course_id]),
};
