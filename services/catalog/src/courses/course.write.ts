import { execute, type Executed } from '@lyceum/eventlog';
import { isRejection } from '@lyceum/kernel';
import { type Call, type Ports, problemOf, type Reply, type StatusTable } from '@lyceum/web';
import { type CourseCode, type CourseCommand, type CourseRejection, courseDecider } from './course.ts';
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

type Writing = Pick<Call, 'school' | 'principal' | 'at' | 'meta' | 'commit' | 'expected'>;

type Outcome = Executed<CourseState> | CourseRejection;

const attempt = (
  { school, at, meta, commit, expected }: Writing,
  { log }: Pick<Ports, 'log'>,
  stream: string,
  command: CourseCommand,
): Promise<Outcome> => {
  const request = { tenant: school, stream, command, at, meta, ...commit };
  return execute(log, courseDecider, expected === undefined ? request : { ...request, expected });
};

const accepted = (outcome: Outcome): Executed<CourseState> => {
  if (isRejection(outcome)) throw problemOf(outcome, courseStatuses);
  return outcome;
};

/** Decides and writes. Throws the problem that a rejection means. */
export const write = async (...how: Parameters<typeof attempt>): Promise<Executed<CourseState>> =>
  accepted(await attempt(...how));

/** The answer to a write: who may change a course sees all of it. */
export function written(done: Executed<CourseState>): Reply {
  const { lane, position, version, state } = done;
  return { body: courseDocument(state as Course, 'staff'), version, observed: { lane, position } };
}

/** What a new course is called: a slug that must be free, or a title to derive a free one from. */
export type Naming = { readonly slug: string } | { readonly from: string };

/** Creates a course. A stated slug that is taken is the client's to resolve; a derived one gives way to the next. */
export async function createCourse(
  call: Writing,
  ports: Pick<Ports, 'log' | 'ids'>,
  wanted: NewCourse & { readonly naming: Naming; readonly currency: string; readonly copied_from?: string },
): Promise<Reply> {
  const { naming, fields, prices, seat_limit, currency, copied_from } = wanted;
  const id = ports.ids.next('course');
  const by = call.meta.actor;
  const lecturer_ids = wanted.lecturer_ids ?? (call.principal?.role === 'lecturer' ? [by] : []);
  const made = { id, by, fields, prices, seat_limit, lecturer_ids, copied_from, currency };
  const [first, ...others] = 'slug' in naming ? [naming.slug] : slugCandidates(naming.from, id);
  const create = (slug: string) => attempt(call, ports, id, { type: 'CreateCourse', slug, ...made });
  let outcome = await create(first!);
  for (const slug of others)
    if (isRejection(outcome) && outcome.rejected === 'slug_taken') outcome = await create(slug);
  const done = accepted(outcome);
  return { ...written(done), headers: { Location: `/api/courses/${done.stream}` } };
}
