import { type Detail, differences, type SideEvent } from '@lyceum/kernel';
import { teachingEvents } from '../teaching/teaching.events.ts';
import { teachingStream } from '../teaching/teaching.ts';
import { coverFileEvents } from '../values/covers.ts';
import { priceEvents, type WantedPrice } from '../values/prices.ts';
import type { CourseEvent } from './course.events.ts';
import type { CourseFields } from './course.fields.ts';
import { type Course, type CourseState, exists } from './course.state.ts';

/** One thing that publishing needs. `path` is the field that mends it. */
interface Guard {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  met(course: Course, schoolCurrency: string): boolean;
}

const isSold = (course: Course): boolean => course.access === 'paid' || course.access === 'presale';

/**
 * What publishing needs, in the order it is reported.
 * The lessons of a course and the standing of its lecturers are not in its stream: whoever asks hands in what holds now.
 */
const guards: readonly Guard[] = [
  {
    code: 'price_missing',
    path: 'prices',
    message: 'A course with access paid or presale needs a price',
    met: (course) => !isSold(course) || course.prices.length > 0,
  },
  {
    code: 'price_currency',
    path: 'prices',
    message: 'Every price must be in the currency of the school',
    met: (course, schoolCurrency) => course.prices.every((price) => price.currency === schoolCurrency),
  },
  {
    code: 'lesson_missing',
    path: 'curriculum',
    message: 'A course needs a published lesson',
    met: (course) => course.lesson_count > 0,
  },
  {
    code: 'lecturer_missing',
    path: 'lecturer_ids',
    message: 'A course needs a lecturer',
    met: (course) => course.lecturer_ids.length > 0,
  },
];

/** What a course still lacks to be published; empty when it is ready. */
export const unmet = (course: Course, schoolCurrency: string): readonly Required<Detail>[] =>
  guards
    .filter((guard) => !guard.met(course, schoolCurrency))
    .map(({ code, path, message }) => ({ code, path, message }));

/** What a course lacks after a change that it did not lack before. */
export function newlyUnmet(before: Course, after: Course, schoolCurrency: string): readonly Required<Detail>[] {
  const known = new Set(unmet(before, schoolCurrency).map((guard) => guard.code));
  return unmet(after, schoolCurrency).filter((guard) => !known.has(guard.code));
}

/** What should be different. A list replaces the whole list. */
export interface Changes extends Partial<CourseFields> {
  readonly slug?: string;
  readonly prices?: readonly WantedPrice[];
  readonly seat_limit?: number | null;
  readonly lecturer_ids?: readonly string[];
  readonly cover_file?: string | null;
}

/** The events that lead from a course to the wanted one; none for what already is so. */
export function changeEvents(course: Course, changes: Changes): readonly CourseEvent[] {
  const { slug, prices, seat_limit, lecturer_ids, cover_file, ...fields } = changes;
  const events: CourseEvent[] = [...fieldEvents(course, fields), ...coverFileEvents(course, cover_file)];
  if (slug !== undefined && slug !== course.slug) events.push({ type: 'CourseSlugChanged', data: { slug } });
  if (prices) events.push(...priceEvents(course.prices, prices));
  if (seat_limit !== undefined && seat_limit !== course.seat_limit)
    events.push({ type: 'SeatLimitChanged', data: { seat_limit } });
  if (lecturer_ids) events.push(...lecturerEvents(course.lecturer_ids, lecturer_ids));
  return events;
}

function fieldEvents(course: Course, wanted: Partial<CourseFields>): readonly CourseEvent[] {
  const fields = differences(course, wanted);
  return fields ? [{ type: 'CourseChanged', data: { fields } }] : [];
}

function lecturerEvents(before: readonly string[], after: readonly string[]): readonly CourseEvent[] {
  const left = before.filter((id) => !after.includes(id));
  const joined = after.filter((id) => !before.includes(id));
  return [
    ...left.map((lecturer_id): CourseEvent => ({ type: 'LecturerUnassigned', data: { lecturer_id } })),
    ...joined.map((lecturer_id): CourseEvent => ({ type: 'LecturerAssigned', data: { lecturer_id } })),
  ];
}

const countedOn = (course: CourseState): readonly string[] =>
  exists(course) && course.status === 'published' ? course.lecturer_ids : [];

/**
 * A course that begins to count on a lecturer says so beside the lecturer's profile, so that whoever ends the profile at
 * the same moment is told.
 */
export const sideEventsOfTeaching = (before: CourseState, after: CourseState): readonly SideEvent[] =>
  countedOn(after)
    .filter((lecturer) => !countedOn(before).includes(lecturer))
    .map((lecturer) => ({
      stream: teachingStream(lecturer),
      type: 'CourseTaught',
      schema: teachingEvents.CourseTaught.version,
      data: { course_id: exists(after) ? after.id : '' },
    }));
