import { Problem, asOf, expandOf, fieldsOf, lasting, operation, type Operation } from '@lyceum/web';
import { z } from 'zod';
import { copyCurriculum } from './course.copy.ts';
import type { Expander } from '../resource/expander.ts';
import { activeLecturers, activeNow } from './course.lecturers.ts';
import { givenIn } from '../schools/school-currency.ts';
import { namingOf } from '../resource/slugs.ts';
import { change, changing, coursesPath, reading, writing } from './course.changing.ts';
import { changesOf, copyOf, newCourse } from './course.input.ts';
import { type CourseListExpander, listCourses } from './course.list.ts';
import { archiveCourse, getCourseReadiness, publishCourse, unpublishCourse } from './course.publication.ts';
import { loadCourse, loadForUpdate } from './course.load.ts';
import { changeCourseBody, courseParams, courseReply, createCourseBody, duplicateCourseBody } from './course.schema.ts';
import { courseDocument } from './course.view.ts';
import { createCourse, createdReply, refuseOthers, write } from './course.write.ts';

/** Creates a draft. */
const create = operation({
  ...writing,
  id: 'createCourse',
  method: 'POST',
  path: coursesPath,
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

const documentOf = lasting(courseDocument);

/** Reads one course, strongly consistent. */
const get = (expander: CourseExpander) =>
  operation({
    ...reading,
    id: 'getCourse',
    method: 'GET',
    path: `${coursesPath}/{course}`,
    summary: 'Read a course',
    description: 'By id or slug, as of now. A former slug answers 308 with the address of the present one.',
    params: courseParams,
    query: z.strictObject({ ...fieldsOf(courseReply), ...expandOf(expander.expansions) }),
    expands: expander.expansions,
    status: 200,
    reply: courseReply,
    async handle(call, ports) {
      const { course: ref } = call.params;
      const loaded = await loadCourse(call, ref, ports);
      const { course, view } = loaded;
      const { version, observed } = asOf(loaded);
      if (ref !== course.id && ref !== course.slug)
        return { status: 308, headers: { Location: `${coursesPath}/${course.slug}` }, observed };
      const document = documentOf(course, view);
      const [body] = await expander.expand(call, ports, [document], call.query.expand);
      return { body, version, observed };
    },
  });

/** Changes what a merge patch names. */
const patch = operation({
  ...changing,
  id: 'changeCourse',
  method: 'PATCH',
  path: `${coursesPath}/{course}`,
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

/** Creates a draft like another course. */
const duplicate = operation({
  ...writing,
  id: 'duplicateCourse',
  method: 'POST',
  path: `${coursesPath}/{course}/duplicate`,
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
    const { course, version } = await loadForUpdate(call, call.params.course, ports);
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
    return createdReply(done, await copyCurriculum(call, ports, course.id, done.stream));
  },
});

/** Deletes a course that was never public, and frees its slugs. */
const remove = operation({
  ...writing,
  id: 'deleteCourse',
  method: 'DELETE',
  path: `${coursesPath}/{course}`,
  summary: 'Delete a course',
  description: 'Only one that was never published; others are archived.',
  params: courseParams,
  ifMatch: 'accepted',
  status: 204,
  errors: ['invalid_state'],
  async handle(call, ports) {
    const { course } = await loadForUpdate(call, call.params.course, ports);
    const { lane, position } = await write(call, ports, course.id, { type: 'DeleteCourse' });
    return { observed: { lane, position } };
  },
});

/** Shows what one course names by id. */
type CourseExpander = Expander<{ readonly slug: string; readonly lecturer_ids: readonly string[] }>;

/** What operations on courses are given: how the things that they name by id are shown whole, in one course and in lists. */
export interface CoursePorts {
  readonly one: CourseExpander;
  readonly list: CourseListExpander;
}

/** All operations on courses. */
export const courseOperations = ({ one, list }: CoursePorts): readonly Operation[] => [
  listCourses(list),
  create,
  get(one),
  patch,
  remove,
  publishCourse,
  unpublishCourse,
  archiveCourse,
  duplicate,
  getCourseReadiness,
];
