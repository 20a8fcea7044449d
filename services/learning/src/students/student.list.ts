import type { Condition } from '@lyceum/documents';
import {
  type Operation,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
  queryAny,
} from '@lyceum/web';
import { z } from 'zod';
import { students } from './student.rows.ts';
import { courseId, enrollmentStates } from '../enrollments/enrollment.schema.ts';
import type { AskingPorts } from './student.people.ts';
import { type StudentReader, readerOf, studentDocuments } from './student.reading.ts';
import { studentReply } from './student.schema.ts';

const query = z.strictObject({
  ...listFilters,
  course_id: courseId.optional().meta({ description: 'Those with an enrollment in this course.' }),
  state: z
    .enum(enrollmentStates)
    .optional()
    .meta({ description: 'Of that enrollment; without `course_id`: active = in any course.' }),
  ...fieldsOf(studentReply),
});

const fieldOf = { active: 'active_course_ids', lapsed: 'lapsed_course_ids' } as const;

/** The rows that the reader may see and asks for, as alternatives. */
function studentConditions(
  { courses }: StudentReader,
  { course_id, state }: Pick<z.output<typeof query>, 'course_id' | 'state'>,
): readonly (readonly Condition[])[] {
  const asked = course_id === undefined ? courses : (courses ?? [course_id]).filter((each) => each === course_id);
  if (!asked) return [given(state, (is) => ({ field: 'state', is }))];
  const field = state === undefined ? 'course_ids' : fieldOf[state];
  return asked.map((has) => [{ field, has }]);
}

/** Lists students. */
export const listStudents = (asking: AskingPorts): Operation =>
  operation({
    id: 'listStudents',
    method: 'GET',
    path: '/api/students',
    area: 'students',
    summary: 'List students',
    description:
      'Members with an enrollment, newest first. Lecturers see those of their own courses, with masked e-mail addresses; without a token the list is empty. The list follows writes with a short delay: see Consistency-Token.',
    scope: 'students:read',
    anonymous: true,
    roles: ['owner', 'admin', 'lecturer'],
    readModel: students,
    query,
    status: 200,
    reply: listOf(studentReply),
    errors: ['temporarily_unavailable'],
    async handle(call, ports) {
      const sort = orderOf(call.query);
      if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
      const reader = await readerOf(call, asking);
      const where = studentConditions(reader, call.query).map((each) => [...each, ...filterConditions(call.query)]);
      const page =
        where.length === 0
          ? { items: [], more: false }
          : await queryAny(ports.documents, students, call.school, where, { sort, ...call.page });
      const shown = await studentDocuments(call, { ...asking, documents: ports.documents }, page.items, reader);
      return listReply(page, (_row, index) => shown[index], sort);
    },
  });
