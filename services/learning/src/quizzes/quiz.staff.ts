import type { AskingPorts } from '@lyceum/service';
import { type Operation, Problem, given, operation } from '@lyceum/web';
import { z } from 'zod';
import { attemptFilters, listAttempts } from '../attempts/attempt.list.ts';
import { attempts } from '../attempts/attempt.rows.ts';
import { attemptsReply, lessonId } from '../attempts/attempt.schema.ts';
import { enrollmentOfStudent } from '../students/student.http.ts';
import { readerOf } from '../students/student.reading.ts';
import { studentEnrollmentParams } from '../students/student.schema.ts';

/** Lists the attempts of a student in one enrollment, for the staff. */
export const listStudentAttempts = (asking: AskingPorts): Operation =>
  operation({
    id: 'listStudentAttempts',
    method: 'GET',
    path: '/api/students/{student}/enrollments/{enrollment}/attempts',
    area: 'students',
    scope: 'students:read',
    anonymous: true,
    roles: ['owner', 'admin', 'lecturer'],
    summary: 'List the attempts of a student at quizzes',
    description:
      'In one enrollment, newest first, with what was right. Lecturers see those of their own courses. The list follows writes with a short delay: see Consistency-Token.',
    params: studentEnrollmentParams,
    readModel: attempts,
    query: z.strictObject({ ...attemptFilters, lesson_id: lessonId.optional() }),
    status: 200,
    reply: attemptsReply,
    errors: ['erased', 'not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      if (!call.principal) throw new Problem('not_found');
      const { enrollment } = await enrollmentOfStudent(call, ports);
      const { courses } = await readerOf(call, asking);
      if (!(courses?.includes(enrollment.course_id) ?? true)) throw new Problem('not_found');
      return listAttempts(call, ports, [
        { field: 'enrollment_id', is: call.params.enrollment },
        ...given(call.query.lesson_id, (is) => ({ field: 'lesson_id', is })),
      ]);
    },
  });
