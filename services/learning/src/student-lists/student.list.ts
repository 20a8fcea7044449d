import type { AskingPorts } from '@lyceum/service';
import { type Operation, fieldsOf, listOf, listQuery, listReply, operation, orderOf } from '@lyceum/web';
import { z } from 'zod';
import { students } from '../students/student.rows.ts';
import { studentFilters, studentPage } from './student.filter.ts';
import { readerOf, studentDocuments } from '../students/student.reading.ts';
import { studentReply } from '../students/student.schema.ts';

const query = z.strictObject({ ...listQuery, ...studentFilters, ...fieldsOf(studentReply) });

/** Lists students. */
export const listStudents = (asking: AskingPorts): Operation =>
  operation({
    id: 'listStudents',
    method: 'GET',
    path: '/api/students',
    area: 'students',
    summary: 'List students',
    description:
      'Members with an enrollment, newest first. Lecturers see those of their own courses, with masked e-mail addresses; without a token the list is empty. With `q`, `tag`, or a percentage in a course, a page may hold fewer than `limit` and not be the last. The list follows writes with a short delay: see Consistency-Token.',
    scope: 'students:read',
    anonymous: true,
    roles: ['owner', 'admin', 'lecturer'],
    readModel: students,
    query,
    status: 200,
    reply: listOf(studentReply),
    errors: ['temporarily_unavailable'],
    async handle(call, { documents }) {
      const sort = orderOf(call.query);
      if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
      const ports = { ...asking, documents };
      const reader = await readerOf(call, asking);
      const page = await studentPage(call, ports, reader, sort);
      const shown = await studentDocuments(call, ports, page.items, reader);
      return listReply(page, (_row, index) => shown[index], sort);
    },
  });
