import type { AskingPorts } from '@lyceum/service';
import {
  type Call,
  CsvFiles,
  type CsvPage,
  type Operation,
  type Ports,
  csvLine,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { type KnownCourse, knownCourse } from '../courses/known-courses.ts';
import { students } from '../students/student.rows.ts';
import { studentFilters, studentPage } from './student.filter.ts';
import { type StudentReader, readerOf, studentDocuments } from '../students/student.reading.ts';
import { studentReply } from '../students/student.schema.ts';

const query = z.strictObject(studentFilters);

type Exporting = Call<{ query: typeof query }>;
type ExportingPorts = Pick<Ports, 'documents'> & AskingPorts;

const columns = [
  'member_id',
  'name',
  'email',
  'tags',
  'course_id',
  'course_title',
  'state',
  'starts_at',
  'expires_at',
  'percent',
  'last_activity_at',
  'completed_at',
  'enrolled_at',
] as const;

const header = csvLine(columns);

/** Students of one page: what the reader is in hand with does not grow with the school. */
const pageSize = 100;

const files = new CsvFiles();

/** The titles of courses, each asked for once in a while. */
async function titlesOf(ports: ExportingPorts, school: string, ids: readonly string[]) {
  const all = [...new Set(ids)].map(async (id): Promise<[string, KnownCourse | undefined]> => [
    id,
    await knownCourse(ports, school, id),
  ]);
  return new Map(await Promise.all(all));
}

type Student = z.output<typeof studentReply>;

/** The lines of some students: one for each enrollment that is asked for. */
async function linesOf(call: Exporting, ports: ExportingPorts, shown: readonly Student[]): Promise<string> {
  const { course_id, state: wanted } = call.query;
  const lines = shown.flatMap((student) =>
    student.enrollments
      .filter((each) => (course_id ?? each.course_id) === each.course_id && (wanted ?? each.state) === each.state)
      .map((enrollment) => ({ student, enrollment })),
  );
  const courses = await titlesOf(
    ports,
    call.school,
    lines.map(({ enrollment }) => enrollment.course_id),
  );
  return lines
    .map(({ student: { id, name, email, tags }, enrollment: { course_id: course, state, progress, ...times } }) =>
      csvLine([
        id,
        name,
        email,
        tags.join(' '),
        course,
        courses.get(course)?.title ?? null,
        state,
        times.starts_at,
        times.expires_at,
        String(progress.percent),
        progress.last_activity_at,
        times.completed_at,
        times.created_at,
      ]),
    )
    .join('');
}

async function readPage(
  call: Exporting,
  ports: ExportingPorts,
  reader: StudentReader,
  after: CsvPage['after'],
): Promise<CsvPage> {
  const sort = orderOf(call.query);
  const wanted = { limit: pageSize, ...(after ? { after } : {}) };
  const found = await studentPage({ school: call.school, query: call.query, page: wanted }, ports, reader, sort);
  const shown = await studentDocuments(call, ports, found.items, reader);
  const text = await linesOf(
    call,
    ports,
    shown.map((each) => studentReply.parse(each)),
  );
  const last = found.items.at(-1);
  const behindLast = found.more && last ? { value: String(last.body[sort.field]), id: last.id } : undefined;
  return { text, after: found.next ?? behindLast };
}

/** Gives all students as one file. */
export const exportStudents = (asking: AskingPorts): Operation =>
  operation({
    id: 'exportStudents',
    method: 'GET',
    path: '/api/students/export',
    area: 'students',
    summary: 'Export students as CSV',
    description:
      'All students that the filters of the list leave, with a line for each enrollment, as CSV (RFC 4180, UTF-8, with a header). Lecturers get those of their own courses, with masked e-mail addresses; without a token there is only the header. A cell that a spreadsheet would take for a formula begins with an apostrophe. At most two at a time. A file that breaks off is not the whole: the connection is cut then.',
    scope: 'students:read',
    anonymous: true,
    roles: ['owner', 'admin', 'lecturer'],
    readModel: students,
    query,
    gives: 'text/csv; charset=utf-8',
    status: 200,
    errors: ['temporarily_unavailable'],
    async handle(call, { documents }) {
      const headers = { 'Content-Disposition': 'attachment; filename="students.csv"' };
      if (!call.principal) return { body: header, headers };
      const ports = { ...asking, documents };
      const reader = await readerOf(call, asking);
      return { body: await files.of(call.school, header, (after) => readPage(call, ports, reader, after)), headers };
    },
  });
