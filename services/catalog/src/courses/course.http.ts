import { line } from '@lyceum/contracts';
import { authors, namingOf, type Expander } from '@lyceum/service';
import { Problem, asOf, operation, type Call, given, type Operation, type Ports } from '@lyceum/web';
import { z } from 'zod';
import { currencyOf, givenIn } from '../schools/known-schools.ts';
import { coverNamed } from '../files/named-cover.ts';
import { opaqueId } from '../values/prices.ts';
import { manages } from './course.view.ts';
import { copyCurriculum, createCourse, refuseOthers, changesOf, copyOf, newCourse } from './course.create.ts';
import { accessKinds } from './course.fields.ts';
import { activeLecturers, activeNow, courses } from './course.resource.ts';
import { unmet } from './course.rules.ts';
import {
  courseParams,
  readinessReply,
  changeCourseBody,
  courseReply,
  createCourseBody,
  duplicateCourseBody,
} from './course.schema.ts';
import { exists } from './course.state.ts';

/** Makes a complete course public. */
const publishCourse = courses.change({
  id: 'publishCourse',
  method: 'POST',
  below: '/publish',
  summary: 'Publish a course',
  description: 'Makes it public; `details` of `not_ready` name what is missing. Publishing again changes nothing.',
  errors: ['not_ready', 'invalid_state'],
  async command({ school }, ports) {
    const currency = await currencyOf(ports.documents, school);
    return async ({ thing: { lesson_count, lecturer_ids }, expectedVersions }) => {
      const lecturers = await activeNow(ports, school, lecturer_ids);
      const command = { type: 'PublishCourse', currency, lesson_count, active: lecturers.active } as const;
      return { command, expectedVersions: [...expectedVersions, ...lecturers.expectedVersions] };
    };
  },
});

/** Takes a course back from the public. */
const unpublishCourse = courses.change({
  id: 'unpublishCourse',
  method: 'POST',
  below: '/unpublish',
  summary: 'Unpublish a course',
  description: 'Hides it from the public. Whoever has access keeps it.',
  errors: ['invalid_state'],
  command: () => ({ type: 'UnpublishCourse' }),
});

/** Puts a course away for good. */
const archiveCourse = courses.change({
  id: 'archiveCourse',
  method: 'POST',
  below: '/archive',
  summary: 'Archive a course',
  description:
    'Hides it for good and ends changes; a published course is unpublished first. Whoever has access keeps it.',
  errors: ['invalid_state'],
  command: () => ({ type: 'ArchiveCourse' }),
});

/** Says what a course needs to be published. */
const getCourseReadiness = operation({
  area: 'courses',
  scope: 'courses:read',
  anonymous: true,
  id: 'getCourseReadiness',
  method: 'GET',
  path: '/api/courses/{course}/readiness',
  summary: 'Read what publishing still needs',
  description: 'For those who may change the course; 404 for all others.',
  params: courseParams,
  status: 200,
  reply: readinessReply,
  async handle(call, ports) {
    const { thing: course, viewer, ...found } = await courses.load(call, call.params.course, ports);
    if (!manages(viewer, course)) throw new Problem('not_found');
    const lecturer_ids = await activeLecturers(ports, call.school, course.lecturer_ids);
    const missing = unmet({ ...course, lecturer_ids }, await currencyOf(ports.documents, call.school));
    const body = { object: 'readiness', ready: missing.length === 0, unmet: missing };
    return { body, ...asOf(found) };
  },
});

const writing = { area: 'courses', scope: 'courses:write', anonymous: false, roles: authors } as const;

type Created = Awaited<ReturnType<typeof createCourse>>;

/** The answer to a creation: the course with its lessons. */
async function createdReply(
  call: Pick<Call, 'school' | 'issuer' | 'at'>,
  ports: Ports,
  done: Created,
  lessons: object = {},
) {
  const state = exists(done.state) ? done.state : null;
  const written = await courses.written(call, ports, { ...done, state }, lessons);
  return { ...written, headers: { Location: `/api/courses/${done.stream}` } };
}

const list = {
  id: 'listCourses',
  summary: 'List courses',
  description:
    'Published and listed courses; for staff all of them, for lecturers also their own drafts; archived ones only when `status` asks for them. Newest first. The list follows writes with a short delay: the answer says in Consistency-Token how far it has come, and a request that carries the token of a write and `Prefer: wait=5` gets a list that has it. Curricula are shown whole with one course at a time: each may have a thousand lessons.',
  filters: {
    access: z.enum(accessKinds).optional(),
    category: line(1, 60).optional(),
    tag: line(1, 40).optional(),
    lecturer_id: opaqueId.optional(),
  },
  conditions: ({ access, category, tag, lecturer_id }: Readonly<Record<string, never>>) => [
    ...given(access, (is) => ({ field: 'access', is })),
    ...given(category, (is) => ({ field: 'category', is })),
    ...given(tag, (has) => ({ field: 'tags', has })),
    ...given(lecturer_id, (has) => ({ field: 'lecturer_ids', has })),
  ],
  searches: 'Beginnings of words of title, subtitle, summary, category or tags; all of them.',
};

/** Creates a draft. */
const create = operation({
  ...writing,
  id: 'createCourse',
  method: 'POST',
  path: '/api/courses',
  summary: 'Create a course',
  description:
    'Creates a draft. Without a slug one is made from the title. A lecturer who names no lecturers becomes the lecturer.',
  body: createCourseBody,
  status: 201,
  reply: courseReply,
  errors: ['slug_taken', 'file_not_ready', 'temporarily_unavailable'],
  async handle(call, ports) {
    const known = await givenIn(call.school, ports);
    const { slug, title } = call.body;
    const naming = namingOf(slug, title);
    const cover = await coverNamed(call, ports, call.body);
    const wanted = { ...newCourse(call.body, known, cover), naming, currency: known.currency };
    return createdReply(call, ports, await createCourse(call, ports, wanted));
  },
});

/** Changes what a merge patch names. */
const patch = courses.change({
  id: 'changeCourse',
  summary: 'Change a course',
  description:
    'A JSON Merge Patch. A published course has to stay complete. A new slug keeps the old one as a redirect.',
  body: changeCourseBody,
  errors: ['slug_taken', 'not_ready', 'file_not_ready', 'invalid_state', 'temporarily_unavailable'],
  async command(call, ports) {
    const { school, body } = call;
    const known = await givenIn(school, ports);
    const said = changesOf(body, known);
    const { lecturer_ids: wanted } = said;
    const command = { type: 'ChangeCourse', changes: said, currency: known.currency } as const;
    if (!wanted && body.cover === undefined) return command;
    return async ({ thing }) => {
      const { lecturer_ids } = thing;
      const changes = { ...said, ...(await coverNamed(call, ports, body, thing)) };
      if (!wanted) return { command: { ...command, changes }, expectedVersions: [] };
      const { active, expectedVersions } = await activeNow(ports, school, [...new Set([...lecturer_ids, ...wanted])]);
      refuseOthers(wanted, [...active, ...lecturer_ids]);
      return { command: { ...command, changes, active }, expectedVersions };
    };
  },
});

/** Creates a draft like another course. */
const duplicate = operation({
  ...writing,
  id: 'duplicateCourse',
  method: 'POST',
  path: '/api/courses/{course}/duplicate',
  summary: 'Duplicate a course',
  description:
    'Creates a draft with the same content, lessons, prices, seats and active lecturers under a new slug. Of any status.',
  params: courseParams,
  body: duplicateCourseBody,
  ifMatch: 'accepted',
  status: 201,
  reply: courseReply,
  errors: ['slug_taken'],
  async handle(call, ports) {
    const { thing: course, version } = await courses.loadForUpdate(call, call.params.course, ports);
    if (call.expected && !call.expected.includes(version)) throw new Problem('precondition_failed');
    const known = await givenIn(call.school, ports);
    const { title = course.title, slug } = call.body ?? {};
    const naming = slug === undefined ? { from: `${title} copy` } : { slug };
    const lecturer_ids = await activeLecturers(ports, call.school, course.lecturer_ids);
    const copy = {
      ...copyOf(course, title, known),
      lecturer_ids,
      naming,
      currency: known.currency,
      copied_from: course.id,
    };
    const done = await createCourse({ ...call, expected: undefined }, ports, copy);
    return createdReply(call, ports, done, await copyCurriculum(call, ports, course.id, done.stream));
  },
});

/** Deletes a course that was never public, and frees its slugs. */
const remove = courses.remove({
  id: 'deleteCourse',
  summary: 'Delete a course',
  description: 'Only one that was never published; others are archived.',
  errors: ['invalid_state'],
  command: () => ({ type: 'DeleteCourse' }),
});

/** What operations on courses are given: how the things that they name by id are shown whole, in one course and in lists. */
export interface CoursePorts {
  readonly one: Expander<{ readonly slug: string; readonly lecturer_ids: readonly string[] }>;
  readonly each: Expander<{ readonly lecturer_ids: readonly string[] }>;
}

/** All operations on courses. */
export function courseOperations(expands: CoursePorts): readonly Operation[] {
  const kit = courses.given({ expands });
  return [
    kit.list(list),
    create,
    kit.get({
      id: 'getCourse',
      summary: 'Read a course',
      description: 'By id or slug, as of now. A former slug answers 308 with the address of the present one.',
    }),
    patch,
    remove,
    publishCourse,
    unpublishCourse,
    archiveCourse,
    duplicate,
    getCourseReadiness,
  ];
}
