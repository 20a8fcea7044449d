import type { EventContext } from '@lyceum/kernel';
import { searchable } from '../resource/search.ts';
import type { View } from '../resource/view.ts';
import { isListed, ownersOf } from './course.access.ts';
import type { CourseEvent } from './course.events.ts';
import type { CourseItem, CourseReply } from './course.schema.ts';
import { type Course, evolve, exists } from './course.state.ts';

type Seats = CourseReply['seats'];

/** What everybody may know of the seats: few = a tenth of the limit or less, at least one. */
export function seatsOf({ seat_limit: limit, seats_taken: taken }: Pick<Course, 'seat_limit' | 'seats_taken'>): Seats {
  if (limit === null) return 'available';
  const left = limit - taken;
  if (left <= 0) return 'none';
  return left <= Math.max(1, Math.floor(limit / 10)) ? 'few' : 'available';
}

type StaffField = 'seat_limit' | 'listing' | 'status' | 'stats' | 'internal_note';

/** A course as a view shows it. What only staff see is absent from the others, not null. */
export function courseDocument(course: Course, view: View): Omit<CourseReply, StaffField> & Partial<CourseReply> {
  const {
    slugs: _slugs,
    seats_taken: _taken,
    created_by: _by,
    ever_listed: _ever,
    seat_limit,
    listing,
    status,
    internal_note,
    ...open
  } = course;
  return {
    ...open,
    object: 'course',
    lecturer_ids: [...open.lecturer_ids],
    prices: open.prices.map((price) => ({ ...price })),
    seats: seatsOf(course),
    ...(view === 'staff' ? { seat_limit, listing, status, internal_note, stats: null } : {}),
    view,
  };
}

/** A course in the read model: what lists show, and what they filter by. */
export interface CourseRow extends Omit<Course, 'description' | 'ever_listed'> {
  /** Everybody finds it. */
  readonly listed: boolean;
  readonly owners: readonly string[];
  /** What `q` searches. */
  readonly search: string;
}

const rowOf = ({ description: _long, ever_listed: _ever, ...course }: Course): CourseRow => ({
  ...course,
  listed: isListed(course),
  owners: ownersOf(course),
  search: searchable([course.title, course.subtitle, course.summary, course.category, ...course.tags]),
});

const courseOf = ({ listed: _l, owners: _o, search: _s, ...course }: CourseRow): Course => ({
  ...course,
  description: [],
  ever_listed: false,
});

/** The row after an event, or null when there is no course any more. */
export function project(row: CourseRow | undefined, event: CourseEvent, context: EventContext): CourseRow | null {
  const course = evolve(row ? courseOf(row) : { status: 'absent' }, event, context);
  return exists(course) ? rowOf(course) : null;
}

/** A course of a list as a view shows it. */
export function courseItemDocument(row: CourseRow, view: View): Omit<CourseItem, StaffField> & Partial<CourseItem> {
  const { description: _long, ...item } = courseDocument(courseOf(row), view);
  return item;
}
