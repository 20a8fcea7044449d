import { heads } from '@lyceum/service';
import { type Deciding, type Operation, type Ports, Problem, operation } from '@lyceum/web';
import { enrollmentStream } from '../enrollments/enrollment.ts';
import { hasAccess } from '../grants/grant.ts';
import { type Decided, decideEnrollment } from '../enrollments/enrollment.write.ts';
import type { AskingPorts } from '../enrolling/asking.ts';
import { bulkEnrollBody, bulkReply, bulkRevokeBody } from './bulk.schema.ts';
import { accessToGive, aFewAtATime, enrollMember, partOf } from '../enrolling/enrolling.ts';
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
  readonly outcome: 'done' | 'unchanged' | 'refused';
  readonly enrollment_id: string | null;
  readonly state: 'active' | 'lapsed' | null;
  readonly code: string | null;
  readonly reason: string | null;
}

/** What came of a command that may be refused; what is no refusal is thrown. */
async function rowOf(member_id: string, at: string, work: () => Promise<Decided>): Promise<Row> {
  try {
    const { stream, state, events } = await work();
    const outcome = events.length > 0 ? 'done' : 'unchanged';
    const access = hasAccess(state, at) ? 'active' : 'lapsed';
    return { member_id, outcome, enrollment_id: stream, state: access, code: null, reason: null };
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
    unchanged: count('unchanged'),
    refused: count('refused'),
    results: rows,
    view: 'staff',
  };
};

/** Does the same for each member, in commits of their own. */
const forEach = async (
  call: Deciding & { readonly body: { readonly member_ids: readonly string[]; readonly course_id: string } },
  work: (member: string) => Promise<Decided>,
) => {
  const { member_ids, course_id } = call.body;
  const rows = await aFewAtATime(member_ids, (id) => rowOf(id, call.at, () => work(id)));
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
      'Gives up to 500 members access to one course, each by itself: the answer has what came of each, in the order of `member_ids`. Who has this access already stays as they are. To repeat it is safe.',
    body: bulkEnrollBody,
    errors: ['invalid_state', 'temporarily_unavailable'],
    async handle(call, ports) {
      const { member_ids, course_id, expires_at } = call.body;
      const access = await accessToGive(ports, call, course_id, expires_at);
      const refusals = await refusalsOf({ ...asking, ...ports }, call.school, member_ids);
      return forEach(call, async (id) => {
        const refusal = refusals.get(id);
        if (refusal) throw refusal;
        return enrollMember(partOf(call, id, [course_id, expires_at]), ports, id, access);
      });
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
    return forEach(call, (id) =>
      decideEnrollment(partOf(call, id, [course_id]), ports, enrollmentStream(id, course_id), {
        type: 'RevokeStaffAccess',
        member_id: id,
        course_id,
        now: call.at,
      }),
    );
  },
});
