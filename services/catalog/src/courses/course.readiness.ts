import type { Detail } from '@lyceum/kernel';
import type { Course } from './course.state.ts';

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
