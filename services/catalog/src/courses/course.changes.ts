import type { CourseEvent } from './course.events.ts';
import type { CourseFields } from './course.fields.ts';
import type { Course } from './course.state.ts';

/** A price that should be there. `fresh`: the id was made for it; otherwise it names one that the course has. */
export interface WantedPrice {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly fresh: boolean;
}

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
  if (prices) events.push(...priceEvents(course, prices));
  if (seat_limit !== undefined && seat_limit !== course.seat_limit)
    events.push({ type: 'SeatLimitChanged', data: { seat_limit } });
  if (lecturer_ids) events.push(...lecturerEvents(course.lecturer_ids, lecturer_ids));
  return events;
}

// Both sides went through one schema, which fixes the order of keys: equal JSON is equality.
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function fieldEvents(course: Course, wanted: Partial<CourseFields>): readonly CourseEvent[] {
  const different = Object.entries(wanted).filter(([name, value]) => !same(value, course[name as keyof CourseFields]));
  return different.length === 0 ? [] : [{ type: 'CourseChanged', data: { fields: Object.fromEntries(different) } }];
}

/** A price sent without its id is the one of the same amount, if there is one: repeating a list changes nothing. */
function priceEvents(course: Course, wanted: readonly WantedPrice[]): readonly CourseEvent[] {
  const named = new Set(wanted.filter((price) => !price.fresh).map((price) => price.id));
  const unnamed = course.prices.filter((price) => !named.has(price.id));
  const kept = new Set(named);
  const set: CourseEvent[] = [];
  for (const { id, amount, currency, fresh } of wanted) {
    const equal = (price: { amount: number; currency: string }) =>
      price.amount === amount && price.currency === currency;
    const match = fresh
      ? unnamed.find((price) => !kept.has(price.id) && equal(price))
      : course.prices.find((price) => price.id === id && equal(price));
    if (match) kept.add(match.id);
    else set.push({ type: 'PriceSet', data: { price_id: id, amount, currency } });
  }
  const gone = course.prices.filter((price) => !kept.has(price.id));
  return [...gone.map(({ id }): CourseEvent => ({ type: 'PriceRemoved', data: { price_id: id } })), ...set];
}

function lecturerEvents(before: readonly string[], after: readonly string[]): readonly CourseEvent[] {
  const left = before.filter((id) => !after.includes(id));
  const joined = after.filter((id) => !before.includes(id));
  return [
    ...left.map((lecturer_id): CourseEvent => ({ type: 'LecturerUnassigned', data: { lecturer_id } })),
    ...joined.map((lecturer_id): CourseEvent => ({ type: 'LecturerAssigned', data: { lecturer_id } })),
  ];
}
