import type { Derive, Executed } from '@lyceum/eventlog';
import {
  accepted,
  asOf,
  attempt,
  type Call,
  type Deciding,
  type Ports,
  Problem,
  type Reply,
  type StatusTable,
} from '@lyceum/web';
import { activeLecturers, profileOf } from './course.lecturers.ts';
import { type CourseCode, type CourseCommand, courseDecider } from './course.ts';
import type { NewCourse } from './course.input.ts';
import { createNamed, type Naming } from '../resource/slugs.ts';
import type { Course, CourseState } from './course.state.ts';
import { courseDocument } from './course.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const courseStatuses = {
  not_found: 404,
  slug_taken: 409,
  not_ready: 409,
  invalid_state: 409,
  validation_failed: 422,
} as const satisfies StatusTable<CourseCode>;

/** Decides and writes. Throws the problem that a rejection means. */
export const write = async (
  call: Deciding,
  ports: Pick<Ports, 'log'>,
  id: string,
  command: CourseCommand | Derive<CourseCommand>,
) => accepted(await attempt(call, ports, courseDecider, id, command), courseStatuses);

type Lessons = Pick<Course, 'lesson_count' | 'duration_s'>;

/** The answer to a write: who may change a course sees all of it. The lessons are not in its stream. */
export const written = (done: Executed<CourseState>, { lesson_count, duration_s }: Lessons): Reply => ({
  body: courseDocument({ ...(done.state as Course), lesson_count, duration_s }, 'staff'),
  ...asOf(done),
});

/** Throws the 422 problem when one of the lecturers is not among those who may be named. */
export function refuseOthers(ids: readonly string[], nameable: readonly string[]): void {
  const details = ids.flatMap((id, index) =>
    nameable.includes(id)
      ? []
      : [{ path: `lecturer_ids.${index}`, code: 'unknown_lecturer', message: 'is no active lecturer of the school' }],
  );
  if (details.length > 0) throw new Problem('validation_failed', 'A lecturer is not acceptable', { details });
}

/** Creates a course. A stated slug that is taken is the client's to resolve; a derived one gives way to the next. */
export async function createCourse(
  call: Deciding & Pick<Call, 'principal'>,
  ports: Pick<Ports, 'log' | 'ids'>,
  wanted: NewCourse & { readonly naming: Naming; readonly currency: string; readonly copied_from?: string },
): Promise<Executed<CourseState>> {
  const { naming, fields, prices, seat_limit, currency, copied_from } = wanted;
  const id = ports.ids.next('course');
  const by = call.meta.actor;
  const profile = await profileOf(call, ports);
  const lecturer_ids = wanted.lecturer_ids ?? (profile === undefined ? [] : [profile]);
  if (wanted.lecturer_ids) refuseOthers(lecturer_ids, await activeLecturers(ports, call.school, lecturer_ids));
  const made = { id, by, fields, prices, seat_limit, lecturer_ids, copied_from, currency };
  const outcome = await createNamed(naming, { id, noun: 'course' }, (slug) =>
    attempt(call, ports, courseDecider, id, { type: 'CreateCourse', slug, ...made }),
  );
  return accepted(outcome, courseStatuses);
}

/** The answer to a creation. */
export const createdReply = (done: Executed<CourseState>, lessons: Lessons = done.state as Course): Reply => ({
  ...written(done, lessons),
  headers: { Location: `/api/courses/${done.stream}` },
});
