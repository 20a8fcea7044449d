import { type AskingPorts, heads } from '@lyceum/service';
import {
  type Deciding,
  type Operation,
  type Ports,
  Problem,
  operation,
  appliedWait,
  patienceOf,
  seatWaitingHeaders,
} from '@lyceum/web';
import { enrollmentStream } from '../enrollments/enrollment.ts';
import { type ShownState, shownState } from '../enrollments/enrollment.seating.ts';
import { hasAccess } from '../grants/grant.ts';
import { decideEnrollment } from '../enrollments/enrollment.write.ts';
import { bulkEnrollBody, bulkReply, bulkRevokeBody } from './bulk.schema.ts';
import { accessToGive, aFewAtATime, enrollMember, partOf } from '../enrolling/enrolling.ts';
import { type Seated, seated } from '../enrolling/seat-waiting.ts';
import { refusalsOf } from '../enrolling/standing.ts';

const writing = {
  area: 'students',
  scope: 'students:write',
  anonymous: false,
  roles: heads,
  method: 'POST',
  status: 200,
  reply: bulkReply,
} as const;

/** What came of one member. */
interface Row {
  readonly member_id: string;
  readonly outcome: 'done' | 'waiting' | 'unchanged' | 'refused';
  readonly enrollment_id: string | null;
  readonly state: ShownState | null;
  readonly code: string | null;
  readonly reason: string | null;
}

/** What came of a command that may be refused; what is no refusal is thrown. */
async function rowOf(member_id: string, work: () => Promise<Seated>): Promise<Row> {
  try {
    const { done, isWaiting, at } = await work();
    const { stream, state, events } = done;
    const changed = isWaiting ? 'waiting' : 'done';
    const outcome = events.length > 0 ? changed : 'unchanged';
    const shown = shownState(state, hasAccess(state, at));
    return { member_id, outcome, enrollment_id: stream, state: shown, code: null, reason: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const { code, message: reason } = error;
    const outcome = code === 'already_granted' ? 'unchanged' : 'refused';
    return { member_id, outcome, enrollment_id: null, state: null, code, reason };
  }
}

const bulkDocument = (course_id: string, rows: readonly Row[]) => {
  const count = (outcome: Row['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  return {
    object: 'bulk_result',
    course_id,
    done: count('done'),
    waiting: count('waiting'),
    unchanged: count('unchanged'),
    refused: count('refused'),
    results: rows,
    view: 'staff',
  };
};

/** Does the same for each member, in commits of their own. */
const forEach = async (
  call: Deciding & { readonly body: { readonly member_ids: readonly string[]; readonly course_id: string } },
  work: (member: string) => Promise<Seated>,
) => {
  const { member_ids, course_id } = call.body;
  const rows = await aFewAtATime(member_ids, (id) => rowOf(id, () => work(id)));
  return { body: bulkDocument(course_id, rows) };
};

/** Gives many members access to a course. */
export const bulkEnroll = (asking: AskingPorts): Operation =>
  operation({
    ...writing,
    id: 'bulkEnrollStudents',
    path: '/api/students/bulk-enroll',
    summary: 'Enroll many members',
    description:
      'Gives up to 500 members access to one course, each by itself: the answer has what came of each, in the order of `member_ids`. Who has this access already stays as they are. Where the course has so many seats, who got none is refused as `sold_out`; who waits for one still when the answer comes is `waiting`. To repeat it is safe.',
    body: bulkEnrollBody,
    headers: seatWaitingHeaders,
    errors: ['invalid_state', 'temporarily_unavailable'],
    async handle(call, ports) {
      const { member_ids, course_id, expires_at } = call.body;
      const access = await accessToGive(ports, call, course_id, expires_at);
      const refusals = await refusalsOf({ ...asking, ...ports }, call.school, member_ids);
      const until = performance.now() + patienceOf(call);
      const answer = await forEach(call, async (id) => {
        const refusal = refusals.get(id);
        if (refusal) throw refusal;
        const decided = await enrollMember(partOf(call, id, [course_id, expires_at]), ports, id, access);
        return seated(call, ports, decided, 'staff', until);
      });
      return { ...answer, headers: appliedWait(call) };
    },
  });

/** Takes back what the staff gave many members. */
export const bulkRevoke = operation({
  ...writing,
  id: 'bulkRevokeStudents',
  path: '/api/students/bulk-revoke',
  summary: 'Take back what the staff gave many members',
  description:
    'Of up to 500 members and one course; only what the staff gave: `state` says whether access remains. In force within a second. To repeat it is safe.',
  body: bulkRevokeBody,
  async handle(call, ports: Ports) {
    const { course_id } = call.body;
    return forEach(call, async (id) => {
      const command = { type: 'RevokeStaffAccess', member_id: id, course_id, now: call.at } as const;
      const part = partOf(call, id, [course_id]);
      const done = await decideEnrollment(part, ports, enrollmentStream(id, course_id), command);
      return { done, isWaiting: false, at: call.at };
    });
  },
});
