import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

/** Which lecturers and courses of a school are to be seen. */
const teaching: Collection = { name: 'teaching', version: 1, fields: {} };

type LecturerFact = Extract<FactOf<'catalog'>, { type: 'LecturerArchived' | 'LecturerRestored' | 'LecturerRemoved' }>;
type CourseFact = Extract<
  FactOf<'catalog'>,
  { type: 'CoursePublished' | 'CourseShown' | 'CourseUnpublished' | 'CourseArchived' }
>;

const isLecturerFact = eventGuard<LecturerFact>('LecturerArchived', 'LecturerRestored', 'LecturerRemoved');
const isCourseFact = eventGuard<CourseFact>('CoursePublished', 'CourseShown', 'CourseUnpublished', 'CourseArchived');

interface TeachingRow {
  readonly is_shown: boolean;
}

/** What the service knows of lecturers and courses, from the integration events of the catalog service. */
export const teachingProjection: Projection = {
  collection: teaching,
  key(fact) {
    if (isLecturerFact(fact)) return fact.data.lecturer_id;
    return isCourseFact(fact) ? fact.data.course_id : undefined;
  },
  project: ({ type }) => ({ is_shown: ['LecturerRestored', 'CoursePublished', 'CourseShown'].includes(type) }),
};

/** What names who teaches, and the course that it belongs to. */
interface Naming {
  readonly view?: string;
  readonly lecturer_ids?: readonly string[];
  readonly course_id?: string | null;
}

/** Which of the ids are not to be seen: lecturers who are archived or gone, courses that are not public. */
async function hiddenAmong(documents: Pick<Documents, 'get'>, school: string, ids: readonly string[]) {
  const rows = await Promise.all(
    ids.map(async (id) => ({ id, row: rowAs<TeachingRow>(await documents.get(teaching, school, id)) })),
  );
  // A course is a draft until it is published; of lecturers nothing is heard before they are archived.
  return new Set(rows.flatMap(({ id, row }) => ((row?.is_shown ?? id.startsWith('lecturer_')) ? [] : [id])));
}

/** Things without the lecturers and courses that nobody but the staff sees any more, or yet. */
export async function withTeaching<Shown extends Naming>(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  all: readonly Shown[],
): Promise<readonly Shown[]> {
  const named = all
    .filter(({ view }) => view !== 'staff')
    .flatMap(({ lecturer_ids = [], course_id }) => [...lecturer_ids, ...(course_id ? [course_id] : [])]);
  const hidden = await hiddenAmong(documents, school, [...new Set(named)]);
  if (hidden.size === 0) return all;
  return all.map((each) => {
    const { view, lecturer_ids, course_id } = each;
    if (view === 'staff') return each;
    return {
      ...each,
      ...(lecturer_ids ? { lecturer_ids: lecturer_ids.filter((id) => !hidden.has(id)) } : {}),
      ...(course_id && hidden.has(course_id) ? { course_id: null } : {}),
    };
  });
}
