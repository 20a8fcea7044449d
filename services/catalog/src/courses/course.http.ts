import type { Derived } from '@lyceum/eventlog';
import {
  asOf,
  type Call,
  type Deciding,
  expandOf,
  fieldsOf,
  operation,
  type Ports,
  Problem,
  readingAgain,
  type Reply,
} from '@lyceum/web';
import { z } from 'zod';
import { authors } from '../viewing.ts';
import { copyCurriculum } from '../curriculum/copying.ts';
import { expandCourse, courseExpansions } from '../expansions/expansions.ts';
import { activeLecturers, activeNow } from '../lecturers/lecturers.ts';
import { currencyOf, givenIn } from '../schools.ts';
import { namingOf } from '../slugs.ts';
import { manages, viewOf } from './course.access.ts';
import { changesOf, copyOf, newCourse } from './course.input.ts';
import { listCourses } from './course.list.ts';
import { reach, type Reached, reachToChange } from './reach.ts';
import { unmet } from './course.readiness.ts';
import {
  changeCourseBody,
  courseParams,
  courseReply,
  createCourseBody,
  duplicateCourseBody,
  readinessReply,
} from './course.schema.ts';
import type { CourseCommand } from './course.ts';
import { courseDocument } from './course.view.ts';
import { createCourse, createdReply, refuseOthers, write, written } from './course.write.ts';

const path = '/api/courses';
const reading = { area: 'courses', scope: 'courses:read', anonymous: true } as const;
const writing = { area: 'courses', scope: 'courses:write', anonymous: false, roles: authors } as const;
const changing = { ...writing, params: courseParams, reply: courseReply, ifMatch: 'accepted' } as const;

type OfCourse = Pick<Call<{ params: typeof courseParams }>, keyof Deciding | 'params' | 'principal' | 'view'>;

/** Brings a command to a course that the caller may change; it may follow from the course and what it depends on. */
async function change(
  call: OfCourse,
  ports: Ports,
  wanted: CourseCommand | ((reached: Reached) => Promise<Derived<CourseCommand>>),
): Promise<Reply> {
  const reach = () => reachToChange(call, call.params.course, ports);
  const reached = await reach();
  const { course } = reached;
  if (typeof wanted !== 'function') return written(await write(call, ports, course.id, wanted), course);
  const again = readingAgain(reached, reach);
  return written(await write(call, ports, course.id, async () => wanted(await again())), course);
}

/** Creates a draft. */
const create = operation({
  ...writing,
  id: 'createCourse',
  method: 'POST',
  path,
  summary: 'Create a course',
  description:
    'Creates a draft. Without a slug one is made from the title. A lecturer who names no lecturers becomes the lecturer.',
  body: createCourseBody,
  status: 201,
  reply: courseReply,
  errors: ['slug_taken'],
  async handle(call, ports) {
    const known = await givenIn(call.school, ports);
    const { slug, title } = call.body;
    const naming = namingOf(slug, title);
    const wanted = { ...newCourse(call.body, known), naming, currency: known.currency };
    return createdReply(await createCourse(call, ports, wanted));
  },
});

/** Reads one course, strongly consistent. */
const get = operation({
  ...reading,
  id: 'getCourse',
  method: 'GET',
  path: `${path}/{course}`,
  summary: 'Read a course',
  description: 'By id or slug, as of now. A former slug answers 308 with the address of the present one.',
  params: courseParams,
  query: z.strictObject({ ...fieldsOf(courseReply), ...expandOf(courseExpansions) }),
  expands: courseExpansions,
  status: 200,
  reply: courseReply,
  async handle(call, ports) {
    const { course: ref } = call.params;
    const { course, viewer, ...found } = await reach(call, ref, ports);
    const { version, observed } = asOf(found);
    if (ref !== course.id && ref !== course.slug)
      return { status: 308, headers: { Location: `${path}/${course.slug}` }, observed };
    const document = courseDocument(course, viewOf(viewer, course));
    return { body: await expandCourse(call, ports, document, call.query.expand), version, observed };
  },
});

/** Changes what a merge patch names. */
const patch = operation({
  ...changing,
  id: 'changeCourse',
  method: 'PATCH',
  path: `${path}/{course}`,
  summary: 'Change a course',
  description:
    'A JSON Merge Patch. A published course has to stay complete. A new slug keeps the old one as a redirect.',
  body: changeCourseBody,
  status: 200,
  errors: ['slug_taken', 'not_ready', 'invalid_state'],
  async handle(call, ports) {
    const known = await givenIn(call.school, ports);
    const changes = changesOf(call.body, known);
    const command = { type: 'ChangeCourse', changes, currency: known.currency } as const;
    const { lecturer_ids: wanted } = changes;
    if (!wanted) return change(call, ports, command);
    return change(call, ports, async ({ course: { lecturer_ids } }) => {
      const { active, upon } = await activeNow(ports, call.school, [...new Set([...lecturer_ids, ...wanted])]);
      refuseOthers(wanted, [...active, ...lecturer_ids]);
      return { command: { ...command, active }, upon };
    });
  },
});

/** Makes a complete course public. */
const publish = operation({
  ...changing,
  id: 'publishCourse',
  method: 'POST',
  path: `${path}/{course}/publish`,
  summary: 'Publish a course',
  description: 'Makes it public; `details` of `not_ready` name what is missing. Publishing again changes nothing.',
  status: 200,
  errors: ['not_ready', 'invalid_state'],
  async handle(call, ports) {
    const currency = await currencyOf(ports.documents, call.school);
    return change(call, ports, async ({ course: { lesson_count, lecturer_ids }, upon }) => {
      const lecturers = await activeNow(ports, call.school, lecturer_ids);
      const command = { type: 'PublishCourse', currency, lesson_count, active: lecturers.active } as const;
      return { command, upon: [...upon, ...lecturers.upon] };
    });
  },
});

/** Takes a course back from the public. */
const unpublish = operation({
  ...changing,
  id: 'unpublishCourse',
  method: 'POST',
  path: `${path}/{course}/unpublish`,
  summary: 'Unpublish a course',
  description: 'Hides it from the public. Whoever has access keeps it.',
  status: 200,
  errors: ['invalid_state'],
  handle: (call, ports) => change(call, ports, { type: 'UnpublishCourse' }),
});

/** Puts a course away for good. */
const archive = operation({
  ...changing,
  id: 'archiveCourse',
  method: 'POST',
  path: `${path}/{course}/archive`,
  summary: 'Archive a course',
  description:
    'Hides it for good and ends changes; a published course is unpublished first. Whoever has access keeps it.',
  status: 200,
  errors: ['invalid_state'],
  handle: (call, ports) => change(call, ports, { type: 'ArchiveCourse' }),
});

/** Creates a draft like another course. */
const duplicate = operation({
  ...writing,
  id: 'duplicateCourse',
  method: 'POST',
  path: `${path}/{course}/duplicate`,
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
    const { course, version } = await reachToChange(call, call.params.course, ports);
    if (call.expected !== undefined && call.expected !== version) throw new Problem('precondition_failed');
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
    return createdReply(done, await copyCurriculum(call, ports, course.id, done.stream));
  },
});

/** Says what a course needs to be published. */
const readiness = operation({
  ...reading,
  id: 'getCourseReadiness',
  method: 'GET',
  path: `${path}/{course}/readiness`,
  summary: 'Read what publishing still needs',
  description: 'For those who may change the course; 404 for all others.',
  params: courseParams,
  status: 200,
  reply: readinessReply,
  async handle(call, ports) {
    const { course, viewer, ...found } = await reach(call, call.params.course, ports);
    if (!manages(viewer, course)) throw new Problem('not_found');
    const lecturer_ids = await activeLecturers(ports, call.school, course.lecturer_ids);
    const missing = unmet({ ...course, lecturer_ids }, await currencyOf(ports.documents, call.school));
    const body = { object: 'readiness', ready: missing.length === 0, unmet: missing };
    return { body, ...asOf(found) };
  },
});

/** Deletes a course that was never public, and frees its slugs. */
const remove = operation({
  ...writing,
  id: 'deleteCourse',
  method: 'DELETE',
  path: `${path}/{course}`,
  summary: 'Delete a course',
  description: 'Only one that was never published; others are archived.',
  params: courseParams,
  ifMatch: 'accepted',
  status: 204,
  errors: ['invalid_state'],
  async handle(call, ports) {
    const { course } = await reachToChange(call, call.params.course, ports);
    const { lane, position } = await write(call, ports, course.id, { type: 'DeleteCourse' });
    return { observed: { lane, position } };
  },
});

/** All operations on courses. */
export const courseOperations = [
  listCourses,
  create,
  get,
  patch,
  remove,
  publish,
  unpublish,
  archive,
  duplicate,
  readiness,
];
