import { Problem, asOf, operation } from '@lyceum/web';
import { activeLecturers, activeNow } from './course.lecturers.ts';
import { currencyOf } from '../schools/school-currency.ts';
import { manages } from './course.access.ts';
import { change, changing, coursesPath, reading } from './course.changing.ts';
import { unmet } from './course.readiness.ts';
import { courseParams, readinessReply } from './course.schema.ts';
import { loadCourse } from './course.load.ts';

/** Makes a complete course public. */
export const publishCourse = operation({
  ...changing,
  id: 'publishCourse',
  method: 'POST',
  path: `${coursesPath}/{course}/publish`,
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
export const unpublishCourse = operation({
  ...changing,
  id: 'unpublishCourse',
  method: 'POST',
  path: `${coursesPath}/{course}/unpublish`,
  summary: 'Unpublish a course',
  description: 'Hides it from the public. Whoever has access keeps it.',
  status: 200,
  errors: ['invalid_state'],
  handle: (call, ports) => change(call, ports, { type: 'UnpublishCourse' }),
});

/** Puts a course away for good. */
export const archiveCourse = operation({
  ...changing,
  id: 'archiveCourse',
  method: 'POST',
  path: `${coursesPath}/{course}/archive`,
  summary: 'Archive a course',
  description:
    'Hides it for good and ends changes; a published course is unpublished first. Whoever has access keeps it.',
  status: 200,
  errors: ['invalid_state'],
  handle: (call, ports) => change(call, ports, { type: 'ArchiveCourse' }),
});

/** Says what a course needs to be published. */
export const getCourseReadiness = operation({
  ...reading,
  id: 'getCourseReadiness',
  method: 'GET',
  path: `${coursesPath}/{course}/readiness`,
  summary: 'Read what publishing still needs',
  description: 'For those who may change the course; 404 for all others.',
  params: courseParams,
  status: 200,
  reply: readinessReply,
  async handle(call, ports) {
    const { course, viewer, ...found } = await loadCourse(call, call.params.course, ports);
    if (!manages(viewer, course)) throw new Problem('not_found');
    const lecturer_ids = await activeLecturers(ports, call.school, course.lecturer_ids);
    const missing = unmet({ ...course, lecturer_ids }, await currencyOf(ports.documents, call.school));
    const body = { object: 'readiness', ready: missing.length === 0, unmet: missing };
    return { body, ...asOf(found) };
  },
});
