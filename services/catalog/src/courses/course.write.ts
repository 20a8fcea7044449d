import type { Executed } from '@lyceum/eventlog';
import { isRejection } from '@lyceum/kernel';
import {
  accepted,
  asOf,
  attempt,
  type Call,
  type Deciding,
  type Ports,
  type Reply,
  type StatusTable,
} from '@lyceum/web';
import { type CourseCode, type CourseCommand, courseDecider } from './course.ts';
import type { NewCourse } from './course.input.ts';
import { slugCandidates } from './course.slug.ts';
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
export const write = async (call: Deciding, ports: Pick<Ports, 'log'>, id: string, command: CourseCommand) =>
  accepted(await attempt(call, ports, courseDecider, id, command), courseStatuses);

/** The answer to a write: who may change a course sees all of it. */
export const written = (done: Executed<CourseState>): Reply => ({
  body: courseDocument(done.state as Course, 'staff'),
  ...asOf(done),
});

/** What a new course is called: a slug that must be free, or a title to derive a free one from. */
export type Naming = { readonly slug: string } | { readonly from: string };

/** Creates a course. A stated slug that is taken is the client's to resolve; a derived one gives way to the next. */
export async function createCourse(
  call: Deciding & Pick<Call, 'principal'>,
  ports: Pick<Ports, 'log' | 'ids'>,
  wanted: NewCourse & { readonly naming: Naming; readonly currency: string; readonly copied_from?: string },
): Promise<Reply> {
  const { naming, fields, prices, seat_limit, currency, copied_from } = wanted;
  const id = ports.ids.next('course');
  const by = call.meta.actor;
  const lecturer_ids = wanted.lecturer_ids ?? (call.principal?.role === 'lecturer' ? [by] : []);
  const made = { id, by, fields, prices, seat_limit, lecturer_ids, copied_from, currency };
  const [first, ...others] = 'slug' in naming ? [naming.slug] : slugCandidates(naming.from, id);
  const create = (slug: string) => attempt(call, ports, courseDecider, id, { type: 'CreateCourse', slug, ...made });
  let outcome = await create(first!);
  for (const slug of others)
    if (isRejection(outcome) && outcome.rejected === 'slug_taken') outcome = await create(slug);
  const done = accepted(outcome, courseStatuses);
  return { ...written(done), headers: { Location: `/api/courses/${done.stream}` } };
}
