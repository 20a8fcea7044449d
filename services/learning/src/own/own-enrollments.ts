import {
  type Operation,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
  appliedWait,
  patienceOf,
  seatWaitingHeaders,
} from '@lyceum/web';
import { z } from 'zod';
import { knownCourse } from '../courses/known-courses.ts';
import { learningPath } from '../courses/known-outlines.ts';
import { enrollableAlone, endOfAccess, hasSeats } from '../courses/enrolling.ts';
import { seatPending, seated } from '../enrolling/seat-waiting.ts';
import { enrollments } from '../enrollments/enrollment.rows.ts';
import { courseId } from '../courses/course-id.ts';
import { enrollOwnBody, enrollmentId, enrollmentReply } from '../enrollments/enrollment.schema.ts';
import { enrollmentStates } from '../enrollments/enrollment.seating.ts';
import { enrollmentStream } from '../enrollments/enrollment.ts';
import { enrollmentDocument } from '../enrollments/enrollment.view.ts';
import { decideEnrollment, enrollmentReplyOf } from '../enrollments/enrollment.write.ts';
import { callerOf, enrollmentRowsShown, ownEnrollment } from '../enrollments/enrollment.read.ts';

const path = '/api/account/enrollments';
// Nobody sees more of their own enrollments for being staff.
const own = { area: 'account', anonymous: false, staff: [] } as const;
const reading = { ...own, scope: 'account:read', status: 200 } as const;

/** Lists the enrollments of the token's member. */
const listOwnEnrollments = operation({
  ...reading,
  id: 'listOwnEnrollments',
  method: 'GET',
  path,
  summary: 'List your enrollments',
  description:
    'The courses that you have access to, wait for a seat in, or had, newest first. The list follows writes with a short delay: see Consistency-Token.',
  readModel: enrollments,
  query: z.strictObject({
    ...listFilters,
    course_id: courseId.optional(),
    state: z.enum(enrollmentStates).optional(),
    ...fieldsOf(enrollmentReply),
  }),
  reply: listOf(enrollmentReply),
  async handle(call, { documents }) {
    const { course_id, state } = call.query;
    const where = [
      { field: 'member_id', is: callerOf(call) },
      { field: 'state', in: state === undefined ? enrollmentStates : [state] },
      ...given(course_id, (is) => ({ field: 'course_id', is })),
      ...filterConditions(call.query),
    ];
    const sort = orderOf(call.query);
    const page = await documents.query(enrollments, call.school, { where, sort, ...call.page });
    const documentOf = await enrollmentRowsShown({ documents }, call, 'member', page.items);
    return listReply(page, documentOf, sort);
  },
});

/** Reads one enrollment of the token's member. */
const getOwnEnrollment = operation({
  ...reading,
  id: 'getOwnEnrollment',
  method: 'GET',
  path: `${path}/{enrollment}`,
  summary: 'Read one of your enrollments',
  description: 'As of now.',
  params: z.object({ enrollment: enrollmentId }),
  reply: enrollmentReply,
  errors: ['not_found'],
  async handle(call, ports) {
    const { enrollment, ...found } = await ownEnrollment(call, ports);
    const path = await learningPath(ports, call.school, enrollment.course_id);
    const body = enrollmentDocument(call.params.enrollment, enrollment, { view: 'member', now: call.at, path });
    // Progress changes with the course and access with time, without a new version, so there is no ETag.
    return { body, observed: asOf(found).observed };
  },
});

/** Enrolls the token's member in a course that asks for nothing. */
const enroll = operation({
  ...own,
  scope: 'account:write',
  id: 'enroll',
  method: 'POST',
  path,
  summary: 'Enroll in a free course',
  description:
    'In a public course with access `free` or `open`, while enrollment is open. Where it has so many seats, there is access once one comes, which is decided in a moment: 202 until then, `sold_out` where none is left.',
  body: enrollOwnBody,
  status: 201,
  pending: seatPending,
  headers: seatWaitingHeaders,
  reply: enrollmentReply,
  errors: ['already_granted', 'invalid_state', 'not_entitled', 'sold_out'],
  async handle(call, ports) {
    const member_id = callerOf(call);
    const { course_id } = call.body;
    const course = enrollableAlone(await knownCourse(ports, call.school, course_id), call.at);
    const until = performance.now() + patienceOf(call);
    const decided = await decideEnrollment(call, ports, enrollmentStream(member_id, course_id), {
      type: 'GrantAccess',
      member_id,
      course_id,
      source_type: 'free',
      source_id: call.commit.commitId,
      starts_at: call.at,
      expires_at: endOfAccess(course, call.at),
      seat: hasSeats(course),
      now: call.at,
    });
    const { done, isWaiting, at } = await seated(call, ports, decided, 'free', until);
    return {
      ...(await enrollmentReplyOf(done, { school: call.school, at }, 'member', ports)),
      status: isWaiting ? 202 : 201,
      headers: { Location: `${path}/${done.stream}`, ...appliedWait(call) },
    };
  },
});

/** The operations of members on their own enrollments. */
export const ownEnrollmentOperations: readonly Operation[] = [listOwnEnrollments, getOwnEnrollment, enroll];
