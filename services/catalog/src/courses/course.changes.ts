import { same } from '../resource/json-equality.ts';
import { priceEvents, type WantedPrice } from '../values/prices.ts';
import type { CourseEvent } from './course.events.ts';
import type { CourseFields } from './course.fields.ts';
import type { Course } from './course.state.ts';

/** What should be different. A list replaces the whole list. */
export interface Changes extends Partial<CourseFields> {
  readonly slug?: string;
  readonly prices?: readonly WantedPrice[];
  readonly seat_limit?: number | null;
  readonly lecturer_ids?: readonly string[];
}

/** The events that lead from a course to the wanted one; none for what already is so. */
export function changeEvents(course: Course, changes: Changes): readonly CourseEvent[] {
  const { slug, prices, seat_limit, lecturer_ids, ...fields } = changes;
  const events: CourseEvent[] = [...fieldEvents(course, fields)];
  if (slug !== undefined && slug !== course.slug) events.push({ type: 'CourseSlugChanged', data: { slug } });
  if (prices) events.push(...priceEvents(course.prices, prices));
  if (seat_limit !== undefined && seat_limit !== course.seat_limit)
    events.push({ type: 'SeatLimitChanged', data: { seat_limit } });
  if (lecturer_ids) events.push(...lecturerEvents(course.lecturer_ids, lecturer_ids));
  return events;
}

function fieldEvents(course: Course, wanted: Partial<CourseFields>): readonly CourseEvent[] {
  const different = Object.entries(wanted).filter(([name, value]) => !same(value, course[name as keyof CourseFields]));
  return different.length === 0 ? [] : [{ type: 'CourseChanged', data: { fields: Object.fromEntries(different) } }];
}

function lecturerEvents(before: readonly string[], after: readonly string[]): readonly CourseEvent[] {
  const left = before.filter((id) => !after.includes(id));
  const joined = after.filter((id) => !before.includes(id));
  return [
    ...left.map((lecturer_id): CourseEvent => ({ type: 'LecturerUnassigned', data: { lecturer_id } })),
    ...joined.map((lecturer_id): CourseEvent => ({ type: 'LecturerAssigned', data: { lecturer_id } })),
  ];
}
