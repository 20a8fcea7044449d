import { type Operation, Problem, asOf, fieldsOf, listOf, listQuery, listReply, operation } from '@lyceum/web';
import { z } from 'zod';
import { learningPath } from '../courses/known-outlines.ts';
import { ownEnrollment } from '../enrollments/enrollment.read.ts';
import { enrollmentId } from '../enrollments/enrollment.schema.ts';
import { progressDocument } from '../enrollments/enrollment.view.ts';
import { decideEnrollment } from '../enrollments/enrollment.write.ts';
import { learnBody, learntLessonReply, lessonDoneReply, ownLessonParams } from './lesson.schema.ts';
import { lessonsShown } from './lesson.view.ts';

const path = '/api/account/enrollments/{enrollment}/lessons';
// Nobody sees more of their own learning for being staff.
const own = { area: 'account', anonymous: false, staff: [], status: 200 } as const;

/** Lists the lessons of one enrollment of the token's member. */
const listOwnLessons = operation({
  ...own,
  scope: 'account:read',
  id: 'listOwnLessons',
  method: 'GET',
  path,
  summary: 'List the lessons of one of your courses',
  description:
    'The published lessons in the order of the course, as you stand with them now. After access has ended too, with what you had completed.',
  params: z.object({ enrollment: enrollmentId }),
  query: z.strictObject({ ...listQuery, ...fieldsOf(learntLessonReply) }),
  reply: listOf(learntLessonReply),
  errors: ['not_found'],
  async handle(call, ports) {
    const { enrollment, ...found } = await ownEnrollment(call, ports);
    const course = await learningPath(ports, call.school, enrollment.course_id);
    const shown = lessonsShown({ id: call.params.enrollment, enrollment, path: course, now: call.at });
    const { limit, after } = call.page;
    const from = after ? Number(after.value) + 1 : 0;
    const rows = course.lessons.map((lesson, position) => ({ id: lesson.id, body: { position }, lesson }));
    const page = { items: rows.slice(from, from + limit), more: rows.length > from + limit };
    const reply = listReply(page, ({ lesson }) => shown(lesson), { field: 'position' });
    return { ...reply, observed: asOf(found).observed };
  },
});

/** Notes what the token's member does with a lesson. */
const learn = operation({
  ...own,
  scope: 'account:write',
  id: 'learn',
  method: 'PUT',
  path: `${path}/{lesson}`,
  summary: 'Start, continue or complete a lesson',
  description:
    'Needs access to the course now, and a lesson that is open to you: 409 `not_entitled` or `locked_lesson` otherwise. A quiz is completed by an attempt that passes. Saying the same again changes nothing.',
  params: ownLessonParams,
  body: learnBody,
  reply: lessonDoneReply,
  errors: ['invalid_state', 'locked_lesson', 'not_entitled', 'not_found'],
  async handle(call, ports) {
    const { enrollment: id, lesson: lesson_id } = call.params;
    const { member_id, course_id } = (await ownEnrollment(call, ports)).enrollment;
    const course = await learningPath(ports, call.school, course_id);
    const { state, position_s } = call.body;
    const about = { member_id, course_id, lesson_id, path: course, position_s, now: call.at };
    const done = await decideEnrollment(
      call,
      ports,
      id,
      state === 'completed' ? { type: 'CompleteLesson', passed: false, ...about } : { type: 'StartLesson', ...about },
    );
    const lesson = course.lessons.find((each) => each.id === lesson_id);
    if (!lesson) throw new Problem('not_found', 'The course has no such lesson');
    const shown = lessonsShown({ id, enrollment: done.state, path: course, now: call.at })(lesson);
    return { body: { ...shown, progress: progressDocument(done.state, course) }, observed: asOf(done).observed };
  },
});

/** The operations of members on the lessons of their enrollments. */
export const ownLessonOperations: readonly Operation[] = [listOwnLessons, learn];
