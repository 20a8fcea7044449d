import { line } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type AskingPorts, heads } from '@lyceum/service';
import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  operation,
  appliedWait,
  patienceOf,
  seatWaitingHeaders,
} from '@lyceum/web';
import { z } from 'zod';
import { students } from './student.rows.ts';
import { courseId } from '../courses/course-id.ts';
import { enrollmentReply } from '../enrollments/enrollment.schema.ts';
import { accessEnd } from '../grants/grant.schema.ts';
import { enrollmentDecider } from '../enrollments/enrollment.ts';
import { type Decided, enrollmentReplyOf } from '../enrollments/enrollment.write.ts';
import { type GivenAccess, accessToGive, enrollMember, partOf } from '../enrolling/enrolling.ts';
import { type Seated, seated } from '../enrolling/seat-waiting.ts';
import { memberWithAddress } from '../enrolling/standing.ts';
import { studentDocuments } from './student.reading.ts';
import { studentReply } from './student.schema.ts';

const body = z
  .strictObject({
    email: z.email().max(254).meta({ example: 'ada@example.org' }),
    name: line(1, 200).optional().meta({ description: 'For somebody who is invited.', example: 'Ada Byron' }),
    course_ids: z
      .array(courseId)
      .max(20)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each course once')
      .default([])
      .meta({ description: 'Courses to give access to.' }),
    expires_at: accessEnd.optional(),
  })
  .meta({
    id: 'AddStudent',
    description: 'Without `expires_at` access lasts as long as each course says.',
    example: { email: 'ada@example.org', course_ids: ['course_0195a3c2-7d10-7abc-8def-0123456789ab'] },
  });

type Adding = Call<{ body: typeof body }>;

/** The enrollment; undefined when the person has this access already. */
async function enrolled(call: Adding, ports: Ports, member: string, access: GivenAccess): Promise<Decided | undefined> {
  const part = partOf(call, access.course_id, [member, call.body.expires_at]);
  try {
    return await enrollMember(part, ports, member, access);
  } catch (error) {
    if (error instanceof Problem && error.code === 'already_granted') return undefined;
    throw error;
  }
}

/** An enrollment as of a time, RFC 3339 UTC. */
type Made = Pick<Seated, 'done' | 'at'>;

/** The enrollment once it does not wait for a seat any more, be it that there was none, or the time is over. */
async function settled(call: Adding, ports: Ports, decided: Decided, until: number): Promise<Made> {
  try {
    return await seated(call, ports, decided, 'staff', until);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'sold_out') throw error;
    const { state, ...found } = await fold(ports.log, enrollmentDecider, call.school, decided.stream);
    return { done: { ...decided, ...found, state: state ?? decided.state }, at: call.at };
  }
}

/** The student with the enrollments of now: the read models follow with a delay, or know nothing yet. */
async function documentOf(call: Adding, ports: Ports & AskingPorts, id: string, made: readonly Made[]) {
  const { school, at } = call;
  const { email, name = null } = call.body;
  const row = (await ports.documents.get(students, school, id)) ?? { created_at: at, updated_at: at };
  const [document] = await studentDocuments(call, ports, [{ id, body: row }], { courses: undefined });
  const student = studentReply.parse(document);
  const replies = await Promise.all(
    made.map(({ done, at: now }) => enrollmentReplyOf(done, { school, at: now }, 'staff', ports)),
  );
  const shownNow = replies.map(({ body: shown }) => enrollmentReply.parse(shown));
  const others = student.enrollments.filter((each) => !shownNow.some(({ id: known }) => known === each.id));
  return {
    ...student,
    name: student.name ?? name,
    email: student.email ?? email,
    enrollments: [...others, ...shownNow],
  };
}

/** Makes a student of whoever has an e-mail address. */
export const addStudent = (asking: AskingPorts): Operation =>
  operation({
    id: 'addStudent',
    method: 'POST',
    path: '/api/students',
    area: 'students',
    summary: 'Add a student by e-mail address',
    description:
      'Whoever is no member of the school is invited by e-mail, and has access once they join: 201. A member is enrolled as they are: 200. What they have access to already stays as it is. The state of each enrollment says whether a seat is awaited, or was refused, in courses with so many.',
    scope: 'students:write',
    anonymous: false,
    roles: heads,
    body,
    status: 201,
    headers: seatWaitingHeaders,
    reply: studentReply,
    errors: ['erased', 'invalid_state', 'role_not_allowed', 'temporarily_unavailable'],
    async handle(call, ports) {
      const { email, name, course_ids, expires_at } = call.body;
      const given: GivenAccess[] = [];
      for (const id of course_ids) given.push(await accessToGive(ports, call, id, expires_at));
      const { commitId: commit, fingerprint } = call.commit;
      const by = call.principal?.subject ?? '';
      const invitation = { email, ...(name === undefined ? {} : { name }), by, commit, fingerprint };
      const { member, invited } = await memberWithAddress(asking, call.school, invitation);
      const until = performance.now() + patienceOf(call);
      const decided: Decided[] = [];
      for (const access of given) decided.push(...[(await enrolled(call, ports, member, access)) ?? []].flat());
      const made = await Promise.all(decided.map((each) => settled(call, ports, each, until)));
      const last = made.at(-1)?.done;
      return {
        status: invited ? 201 : 200,
        body: await documentOf(call, { ...ports, ...asking }, member, made),
        headers: { Location: `/api/students/${member}`, ...appliedWait(call) },
        ...(last ? { observed: { lane: last.lane, position: last.position } } : {}),
      };
    },
  });
