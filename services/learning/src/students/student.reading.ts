import type { Condition, Found } from '@lyceum/documents';
import type { AskingPorts } from '@lyceum/service';
import type { Call, Ports } from '@lyceum/web';
import { enrollmentOf, enrollments } from '../enrollments/enrollment.rows.ts';
import { enrollmentStates } from '../enrollments/enrollment.seating.ts';
import { enrollmentRowsShown } from '../enrollments/enrollment.read.ts';
import { type Person, coursesOfLecturer, maskedEmail, peopleOf } from './student.people.ts';

/** Which students a caller may know of. `courses`: the lecturer's own; undefined = all. */
export interface StudentReader {
  readonly courses: readonly string[] | undefined;
}

type Asking = Pick<Call, 'school' | 'principal' | 'at'>;

/** Owners and admins read all students, lecturers those of their own courses. */
export async function readerOf({ school, principal }: Asking, ports: AskingPorts): Promise<StudentReader> {
  if (principal?.role !== 'lecturer') return { courses: undefined };
  return { courses: await coursesOfLecturer(ports, school, principal.subject) };
}

const [most, page] = [200, 200];

/** The rows of enrollments of some members that the reader may see: at most 200 of each member, the oldest first. */
async function enrollmentRows(
  { documents }: Pick<Ports, 'documents'>,
  school: string,
  members: readonly string[],
  { courses }: StudentReader,
): Promise<readonly Found[]> {
  if (members.length === 0 || courses?.length === 0) return [];
  const where: readonly Condition[] = [
    { field: 'member_id', in: members },
    { field: 'state', in: enrollmentStates },
    ...(courses ? [{ field: 'course_id', in: courses }] : []),
  ];
  const sort = { field: 'created_at' };
  const found: Found[] = [];
  for (let more = true; more && found.length < most * members.length;) {
    const last = found.at(-1);
    const after = last ? { after: { value: enrollmentOf(last.body).created_at, id: last.id } } : {};
    const next = await documents.query(enrollments, school, { where, sort, limit: page, ...after });
    found.push(...next.items);
    more = next.more;
  }
  return found;
}

/** A student in the read model, as replies begin with it. */
export interface StudentRow {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const shownEmail = (person: Person | undefined, { courses }: StudentReader): string | null => {
  const email = person?.email ?? null;
  return email !== null && courses && !person?.isEmailForLecturers ? maskedEmail(email) : email;
};

/** Students with their names and enrollments, as the reader may see them. */
export async function studentDocuments(
  { school, at }: Asking,
  ports: Pick<Ports, 'documents'> & AskingPorts,
  rows: readonly StudentRow[],
  reader: StudentReader,
): Promise<readonly object[]> {
  const ids = rows.map(({ id }) => id);
  const [people, found] = await Promise.all([peopleOf(ports, school, ids), enrollmentRows(ports, school, ids, reader)]);
  const documentOf = await enrollmentRowsShown(ports, { school, at }, 'staff', found);
  return rows.map(({ id, body: { created_at, updated_at } }) => ({
    id,
    object: 'student',
    name: people.get(id)?.name ?? null,
    email: shownEmail(people.get(id), reader),
    tags: people.get(id)?.tags ?? [],
    enrollments: found
      .filter(({ body }) => body['member_id'] === id)
      .slice(0, most)
      .map(documentOf),
    created_at,
    updated_at,
    view: 'staff',
  }));
}
