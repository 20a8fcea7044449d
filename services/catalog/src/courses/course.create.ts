import { execute, fold, type Executed } from '@lyceum/eventlog';
import { isRejection, uuidv5, keysOf } from '@lyceum/kernel';
import { changesIn, type Naming, createNamed } from '@lyceum/service';
import { type Call, type Ports, accepted, attempt, type Deciding, Problem } from '@lyceum/web';
import { curriculumDecider, curriculumStream } from '../curriculum/curriculum.ts';
import type { Cover } from '../values/covers.ts';
import { type Given, type WantedPrice, wantedPrice } from '../values/prices.ts';
import type { Changes } from './course.rules.ts';
import type { CourseFields } from './course.fields.ts';
import { activeLecturers, profileOf, courseStatuses } from './course.resource.ts';
import type { ChangeCourseBody, CreateCourseBody } from './course.schema.ts';
import type { Course, CourseState } from './course.state.ts';
import { courseDecider } from './course.ts';

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

/** The changes that a merge patch asks for. `cover`: what it means by a cover. */
export function changesOf(body: ChangeCourseBody, given: Given, cover: Cover = {}): Changes {
  const { prices, cover: _said, ...rest } = body;
  const changes: Changes = { ...changesIn(rest, cleared), ...cover };
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
  readonly cover_file: string | null;
}

/** A new course from what the client said; the rest is blank. Prices without a stated access mean that it is sold. */
export function newCourse(body: CreateCourseBody, given: Given, cover: Cover = {}): NewCourse {
  const {
    slug: _named,
    prices = [],
    seat_limit = null,
    lecturer_ids,
    cover_file = null,
    ...fields
  } = changesOf(body, given, cover);
  const access = prices.length > 0 ? 'paid' : 'free';
  return { fields: { ...blank, access, ...fields }, prices, seat_limit, lecturer_ids, cover_file };
}

/** A new course that is like another, but for its title. */
export function copyOf(course: Course, title: string, given: Given): NewCourse {
  const fields = Object.fromEntries(keysOf(blank).map((name) => [name, course[name]])) as CourseFields;
  const prices = course.prices.map(({ amount, currency }) => wantedPrice({ amount, currency }, given));
  const { seat_limit, lecturer_ids, cover_file } = course;
  return { fields: { ...fields, title }, prices, seat_limit, lecturer_ids, cover_file };
}

/**
 * Gives a new course the lessons of another, under ids of their own, and tells what they amount to. Idempotent: what a
 * request that was cut off did is found when it is repeated.
 */
export async function copyCurriculum(
  { school, at, meta }: Pick<Call, 'school' | 'at' | 'meta'>,
  { log }: Pick<Ports, 'log'>,
  from: string,
  to: string,
): Promise<Pick<Course, 'lesson_count' | 'duration_s'>> {
  const { state } = await fold(log, curriculumDecider, school, curriculumStream(from));
  const newId = (of: string): string => `${of.split('_')[0]}_${uuidv5('copied-lesson', to, of)}`;
  const command = { type: 'CopyCurriculum', from: state, newId } as const;
  const commitId = uuidv5('copied-curriculum', to);
  const request = { tenant: school, stream: curriculumStream(to), command, at, meta, commitId };
  const done = await execute(log, curriculumDecider, request);
  if (isRejection(done)) throw new Error(done.reason);
  return done.state;
}

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
  const { naming, fields, prices, seat_limit, cover_file, currency, copied_from } = wanted;
  const id = ports.ids.next('course');
  const by = call.meta.actor;
  const profile = await profileOf(call, ports);
  const lecturer_ids = wanted.lecturer_ids ?? (profile === undefined ? [] : [profile]);
  if (wanted.lecturer_ids) refuseOthers(lecturer_ids, await activeLecturers(ports, call.school, lecturer_ids));
  const made = { id, by, fields, prices, seat_limit, lecturer_ids, cover_file, copied_from, currency };
  const outcome = await createNamed(naming, { id, noun: 'course' }, (slug) =>
    attempt(call, ports, courseDecider, id, { type: 'CreateCourse', slug, ...made }),
  );
  return accepted(outcome, courseStatuses);
}
