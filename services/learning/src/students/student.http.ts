import { fold } from '@lyceum/eventlog';
import { type AskingPorts, heads } from '@lyceum/service';
import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  type Reply,
  asOf,
  operation,
  appliedWait,
  patienceOf,
  seatWaitingHeaders,
} from '@lyceum/web';
import { hasSeats } from '../courses/enrolling.ts';
import { knownCourse } from '../courses/known-courses.ts';
import { learningPath } from '../courses/known-outlines.ts';
import { students } from './student.rows.ts';
import { enrollBody, enrollmentReply } from '../enrollments/enrollment.schema.ts';
import { extendBody } from '../grants/grant.schema.ts';
import { enrollmentDecider } from '../enrollments/enrollment.ts';
import { enrollmentDocument } from '../enrollments/enrollment.view.ts';
import { decideEnrollment, enrollmentReplyOf } from '../enrollments/enrollment.write.ts';
import { knownMember } from '../members/known-members.ts';
import { addStudent } from './student.adding.ts';
import { accessToGive, enrollMember } from '../enrolling/enrolling.ts';
import { seatPending, seated } from '../enrolling/seat-waiting.ts';
import { refusalsOf } from '../enrolling/standing.ts';
import { readerOf, studentDocuments } from './student.reading.ts';
import { studentEnrollmentParams, studentParams, studentReply } from './student.schema.ts';

const area = 'students';
const path = '/api/students/{student}';
const reading = {
  area,
  scope: 'students:read',
  anonymous: true,
  roles: ['owner', 'admin', 'lecturer'],
  status: 200,
} as const;
const writing = { area, scope: 'students:write', anonymous: false, roles: heads, reply: enrollmentReply } as const;

/** Reads one student. */
const getStudent = (asking: AskingPorts): Operation =>
  operation({
    ...reading,
    id: 'getStudent',
    method: 'GET',
    path,
    summary: 'Read a student',
    description:
      'A member with an enrollment. Lecturers see those of their own courses, with masked e-mail addresses. Follows writes with a short delay, as the list does.',
    params: studentParams,
    readModel: students,
    reply: studentReply,
    errors: ['temporarily_unavailable'],
    async handle(call, { documents }) {
      const { student: id } = call.params;
      if (!call.principal) throw new Problem('not_found');
      const body = await documents.get(students, call.school, id);
      const reader = await readerOf(call, asking);
      const known = body?.['course_ids'] as readonly string[] | undefined;
      if (!body || !(reader.courses?.some((course) => known?.includes(course)) ?? true)) throw new Problem('not_found');
      const [shown] = await studentDocuments(call, { ...asking, documents }, [{ id, body }], reader);
      return { body: shown };
    },
  });

/** Reads one enrollment of a student. */
const getStudentEnrollment = (asking: AskingPorts): Operation =>
  operation({
    ...reading,
    id: 'getStudentEnrollment',
    method: 'GET',
    path: `${path}/enrollments/{enrollment}`,
    summary: 'Read an enrollment of a student',
    description:
      'As of now, with all grants. Lecturers read those of their own courses. There is no ETag: for If-Match take `version`.',
    params: studentEnrollmentParams,
    reply: enrollmentReply,
    errors: ['erased', 'temporarily_unavailable'],
    async handle(call, ports) {
      if (!call.principal) throw new Problem('not_found');
      const { enrollment, ...found } = await enrollmentOfStudent(call, ports);
      const { courses } = await readerOf(call, asking);
      if (!(courses?.includes(enrollment.course_id) ?? true)) throw new Problem('not_found');
      const path = await learningPath(ports, call.school, enrollment.course_id);
      const body = enrollmentDocument(call.params.enrollment, enrollment, { view: 'staff', now: call.at, path });
      // Progress changes with the course and access with time, without a new version, so there is no ETag.
      return { body, observed: asOf(found).observed };
    },
  });

/** Gives a member access to a course, by the staff. */
const enrollStudent = (asking: AskingPorts): Operation =>
  operation({
    ...writing,
    id: 'enrollStudent',
    method: 'POST',
    path: `${path}/enrollments`,
    summary: 'Enroll a member',
    description:
      'Gives a member of the school access to a course, beside whatever access they have from elsewhere; somebody who is only invited has it once they join. One grant of the staff counts at a time. Where the course has so many seats, there is access once one comes, which is decided in a moment: 202 until then, `sold_out` where none is left.',
    params: studentParams,
    body: enrollBody,
    status: 201,
    pending: seatPending,
    headers: seatWaitingHeaders,
    errors: ['already_granted', 'erased', 'invalid_state', 'not_found', 'sold_out', 'temporarily_unavailable'],
    async handle(call, ports) {
      const { student: member_id } = call.params;
      const refusals = await refusalsOf({ ...asking, ...ports }, call.school, [member_id]);
      const refusal = refusals.get(member_id);
      if (refusal) throw refusal;
      const access = await accessToGive(ports, call, call.body.course_id, call.body.expires_at);
      const until = performance.now() + patienceOf(call);
      const decided = await enrollMember(call, ports, member_id, access);
      const { done, isWaiting, at } = await seated(call, ports, decided, 'staff', until);
      const headers = { Location: `/api/students/${member_id}/enrollments/${done.stream}`, ...appliedWait(call) };
      const reply = await enrollmentReplyOf(done, { school: call.school, at }, 'staff', ports);
      return { ...reply, status: isWaiting ? 202 : 201, headers };
    },
  });

type OfStudent = Pick<Call, 'school' | 'at' | 'meta' | 'commit' | 'expected' | 'headers'> & {
  readonly params: { readonly student: string; readonly enrollment: string };
};

/** The enrollment that a path names, as of now. Throws 404 when the student has none of that id. */
export async function enrollmentOfStudent(
  { school, params }: Pick<OfStudent, 'school' | 'params'>,
  { log, documents }: Pick<Ports, 'log' | 'documents'>,
) {
  const found = await fold(log, enrollmentDecider, school, params.enrollment);
  if (found.state?.member_id !== params.student) throw new Problem('not_found');
  if ((await knownMember({ documents }, school, params.student))?.status === 'erased') throw new Problem('erased');
  return { ...found, enrollment: found.state };
}

/** Brings a command to the enrollment that a path names. */
async function change(
  call: OfStudent,
  ports: Ports,
  command: { readonly type: 'RevokeStaffAccess' | 'ResetProgress' },
): Promise<Reply> {
  const { member_id, course_id } = (await enrollmentOfStudent(call, ports)).enrollment;
  const whole = { ...command, member_id, course_id, now: call.at };
  return enrollmentReplyOf(await decideEnrollment(call, ports, call.params.enrollment, whole), call, 'staff', ports);
}

/** Lets access last until another time: where it is over, and the course has so many seats, once one comes. */
async function extend(call: OfStudent, ports: Ports, expires_at: string | null): Promise<Reply> {
  const { member_id, course_id } = (await enrollmentOfStudent(call, ports)).enrollment;
  const course = await knownCourse(ports, call.school, course_id);
  const seat = course !== undefined && hasSeats(course);
  const command = { type: 'ExtendStaffAccess', member_id, course_id, expires_at, seat, now: call.at } as const;
  const until = performance.now() + patienceOf(call);
  const decided = await decideEnrollment(call, ports, call.params.enrollment, command);
  const { done, isWaiting, at } = await seated(call, ports, decided, 'staff', until);
  const reply = await enrollmentReplyOf(done, { school: call.school, at }, 'staff', ports);
  return { ...reply, status: isWaiting ? 202 : 200, headers: appliedWait(call) };
}

/** Lets the access that the staff gave last until another time. */
const extendEnrollment = operation({
  ...writing,
  id: 'extendEnrollment',
  method: 'PATCH',
  path: `${path}/enrollments/{enrollment}`,
  summary: 'Extend the access that the staff gave',
  description:
    'Also after it has expired: in a course with so many seats it then needs one again, `sold_out` where none is left. What was bought stays as it is. null = for ever.',
  params: studentEnrollmentParams,
  body: extendBody,
  ifMatch: 'accepted',
  status: 200,
  pending: seatPending,
  headers: seatWaitingHeaders,
  errors: ['erased', 'invalid_state', 'not_found', 'sold_out'],
  handle: (call, ports) => extend(call, ports, call.body.expires_at),
});

/** Takes back what the staff gave. */
const revokeEnrollment = operation({
  ...writing,
  id: 'revokeEnrollment',
  method: 'DELETE',
  path: `${path}/enrollments/{enrollment}`,
  summary: 'Take back the access that the staff gave',
  description:
    'Only that: what was bought, subscribed to or taken for free stays, and `state` says whether access remains. In force within a second.',
  params: studentEnrollmentParams,
  ifMatch: 'accepted',
  status: 200,
  errors: ['erased', 'not_found'],
  handle: (call, ports) => change(call, ports, { type: 'RevokeStaffAccess' }),
});

/** Lets a student begin a course anew. */
const resetProgress = operation({
  ...writing,
  id: 'resetProgress',
  method: 'POST',
  path: `${path}/enrollments/{enrollment}/progress-reset`,
  summary: 'Reset the progress of a student',
  description:
    'No lesson of the course counts as completed any more, and `completed_at` is null until all are again. Access stays as it is. A progress of which there is nothing stays so.',
  params: studentEnrollmentParams,
  ifMatch: 'accepted',
  status: 200,
  errors: ['erased', 'not_found'],
  handle: (call, ports) => change(call, ports, { type: 'ResetProgress' }),
});

/** The operations of the staff on students. */
export const studentOperations = (asking: AskingPorts): readonly Operation[] => [
  getStudent(asking),
  getStudentEnrollment(asking),
  addStudent(asking),
  enrollStudent(asking),
  extendEnrollment,
  revokeEnrollment,
  resetProgress,
];
