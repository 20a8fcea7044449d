import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { listIn, rows, successBody } from '../api-result.ts';
import { consistencyToken, idempotencyHeader, idempotencyKey, loadCourse } from '../authoring/authoring-access.ts';
import type { ListCursors } from '../list-cursor.ts';
import { cursor, limit, listOutput } from '../reading/result-fields.ts';
import { ToolProblem, reading, tool } from '../tool.ts';

const course = z.string().min(1).max(300).meta({ description: 'Id, slug or URL of a course' });
const percent = z.int().min(0).max(100);
// The service checks it: the pattern of a time would be the longest part of the list of tools.
const time = z.string().max(40).meta({ description: 'RFC 3339' });

/** An enrollment in few words. */
const enrollmentIn = ({ id, course_id, state, expires_at, progress, completed_at }: Json): Json => ({
  id,
  course_id,
  state,
  expires_at,
  progress,
  completed_at,
});

const studentIn = (row: Json): Json => {
  const { id, name, email, tags } = row;
  return { id, name, email, tags, enrollments: listIn(row, 'enrollments').map(enrollmentIn) };
};

/** Students, for those who teach or manage. */
export const listStudents = (cursors: ListCursors) =>
  tool({
    name: 'list_students',
    title: 'List students',
    description:
      'Members with an enrollment, newest first: their courses, and how far they are. A page may be short: go on with next_cursor.',
    input: z.strictObject({
      course: course.optional(),
      state: z.enum(['active', 'awaiting_seat', 'refused', 'lapsed']).optional(),
      q: z.string().min(1).max(100).optional().meta({ description: 'Part of the name' }),
      tag: z.string().min(1).max(40).optional(),
      inactive_since: time.optional(),
      min_percent: percent.optional(),
      max_percent: percent.optional(),
      limit: limit(50, 20),
      cursor,
    }),
    output: listOutput,
    scopes: ['students:read'],
    isForTokens: true,
    annotations: reading,
    async run({ course: ref, cursor: from, limit: most, ...query }, call) {
      const { api, caller } = call;
      const bound = JSON.stringify([caller.school.id, caller.principal?.subject ?? '', 'list_students', ref, query]);
      const { cursor: inner } = cursors.open(from, bound);
      const course_id = ref === undefined ? undefined : (await loadCourse(ref, call)).id;
      const reply = await api('/api/students', { query: { ...query, course_id, limit: most, cursor: inner } });
      const body = successBody(reply, 'The list of students');
      const next = body['next_cursor'];
      return {
        data: {
          items: rows(body).map(studentIn),
          next_cursor: typeof next === 'string' ? cursors.seal({ cursor: next, skip: 0 }, bound) : null,
        },
      };
    },
  });

/** Gives one person access to a course. */
export const enrollStudent = tool({
  name: 'enroll_student',
  title: 'Enroll a student',
  description:
    'Gives a member (member_id), or anybody (email; invited by mail if no member), access to a course, as long as the course says, until expires_at, or for ever (null).',
  input: z.strictObject({
    course,
    member_id: z.string().min(1).max(64).optional(),
    email: z.string().max(254).optional(),
    name: z.string().min(1).max(200).optional(),
    expires_at: time.nullable().optional(),
    idempotency_key: idempotencyKey,
  }),
  output: z.strictObject({
    student_id: z.string(),
    invited: z.boolean().meta({ description: 'By mail; the access counts once they join' }),
    enrollments: z.array(z.looseObject({ id: z.string() })),
    consistency_token: consistencyToken,
  }),
  scopes: ['students:write'],
  isForTokens: true,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ course: ref, member_id, email, name, expires_at, idempotency_key: key }, call) {
    if ((member_id === undefined) === (email === undefined))
      throw new ToolProblem('Name the person by member_id or by email: one of the two.');
    const { id: course_id } = await loadCourse(ref, call);
    const headers = idempotencyHeader(key);
    const end = expires_at === undefined ? {} : { expires_at };
    const who =
      email === undefined ? `/api/students/${encodeURIComponent(member_id ?? '')}/enrollments` : '/api/students';
    const json = email === undefined ? { course_id, ...end } : { email, name, course_ids: [course_id], ...end };
    const reply = await call.api(who, { method: 'POST', json, headers });
    const body = successBody(reply, 'The enrollment', 'list_students and search_courses find people and courses.');
    const made =
      email === undefined ? [body] : listIn(body, 'enrollments').filter((each) => each['course_id'] === course_id);
    return {
      data: {
        student_id: member_id ?? String(body['id']),
        invited: email !== undefined && reply.status === 201,
        enrollments: made.map(enrollmentIn),
        consistency_token: reply.header('consistency-token') ?? null,
      },
    };
  },
});
