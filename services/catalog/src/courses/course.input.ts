import { type Given, type WantedPrice, wantedPrice } from '../values/prices.ts';
import type { Changes } from './course.changes.ts';
import type { CourseFields } from './course.fields.ts';
import type { ChangeCourseBody, CreateCourseBody } from './course.schema.ts';
import type { Course } from './course.state.ts';

const blank: CourseFields = {
  title: '',
  subtitle: null,
  summary: null,
  description: [],
  cover: null,
  tags: [],
  category: null,
  level: null,
  language: null,
  certificate: false,
  access: 'free',
  enrollment_opens_at: null,
  enrollment_closes_at: null,
  presale_opens_at: null,
  access_days: null,
  listing: 'listed',
  internal_note: null,
};

/** What null clears a field to, where that is not null itself. */
const cleared: Readonly<Record<string, unknown>> = {
  description: [],
  tags: [],
  certificate: false,
  prices: [],
  lecturer_ids: [],
};

/**
 * The changes that a merge patch asks for. No member of a course is an object, so a patch is flat: what it has, replaces.
 * @see RFC 7396 §2
 */
export function changesOf(body: ChangeCourseBody, given: Given): Changes {
  const { prices, ...rest } = body;
  const set = Object.entries(rest).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(
    set.map(([name, value]) => [name, value === null ? (cleared[name] ?? null) : value]),
  );
  return prices === undefined
    ? changes
    : { ...changes, prices: (prices ?? []).map((price) => wantedPrice(price, given)) };
}

/** Everything that a new course is made of, but for its id and slug. */
export interface NewCourse {
  readonly fields: CourseFields;
  readonly prices: readonly WantedPrice[];
  readonly seat_limit: number | null;
  readonly lecturer_ids: readonly string[] | undefined;
}

/** A new course from what the client said; the rest is blank. Prices without a stated access mean that it is sold. */
export function newCourse(body: CreateCourseBody, given: Given): NewCourse {
  const { slug: _named, prices = [], seat_limit = null, lecturer_ids, ...fields } = changesOf(body, given);
  const access = prices.length > 0 ? 'paid' : 'free';
  return { fields: { ...blank, access, ...fields }, prices, seat_limit, lecturer_ids };
}

/** A new course that is like another, but for its title. */
export function copyOf(course: Course, title: string, given: Given): NewCourse {
  const names = Object.keys(blank) as (keyof CourseFields)[];
  const fields = Object.fromEntries(names.map((name) => [name, course[name]])) as unknown as CourseFields;
  const prices = course.prices.map(({ amount, currency }) => wantedPrice({ amount, currency }, given));
  const { seat_limit, lecturer_ids } = course;
  return { fields: { ...fields, title }, prices, seat_limit, lecturer_ids };
}
