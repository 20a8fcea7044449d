import { rowAs } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import { type PersonalData, rowsAbout } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { knownCourse } from '../courses/known-courses.ts';
import { type EnrollmentRow, enrollments } from './enrollment.rows.ts';
import type { LearntLesson } from './enrollment.state.ts';
import { enrollmentDecider } from './enrollment.ts';

/** Whose rows they are. */
const own = { collection: enrollments, field: 'member_id' } as const;

/** The courses that a person has access to, or had, and by what. Not who gave it: the source says what it came of. */
const enrollmentData: PersonalData<Ports> = {
  file: 'enrollments',
  read: (of, ports, after) =>
    rowsAbout(ports, of, own, after, async ({ id, body }) => {
      const { member_id: _self, completed, version: _version, ...enrollment } = rowAs<EnrollmentRow>(body);
      const title = (await knownCourse(ports, of.school, enrollment.course_id))?.title ?? null;
      return { id, course_title: title, ...enrollment, lessons_completed: completed?.length ?? 0 };
    }),
};

/** Lessons of a page, and enrollments that are looked into for it. */
const [mostLessons, mostEnrollments] = [200, 20];

/** Where a page of lessons begins: behind a lesson of an enrollment, or behind all of it. */
function placeOf(after: string | undefined): { readonly enrollment?: string; readonly lesson?: string } {
  const [enrollment, lesson] = after?.split('/') ?? [];
  return { ...(enrollment && { enrollment }), ...(lesson && { lesson }) };
}

/** The lessons that were learnt in an enrollment, by id, behind one of them. */
async function lessonsOf({ log }: Pick<Ports, 'log'>, school: string, enrollment: string, behind = '') {
  const { state } = await fold(log, enrollmentDecider, school, enrollment);
  const lessons: readonly (readonly [string, LearntLesson])[] = Object.entries(state?.lessons ?? {});
  return lessons
    .filter(([id]) => id > behind)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([lesson_id, learnt]) => ({ enrollment_id: enrollment, lesson_id, ...learnt }));
}

/**
 * What a person has done of lessons: read from the log, enrollment by enrollment, since rows have completed ones only. A page
 * ends within an enrollment where that has many lessons.
 */
const progressData: PersonalData<Ports> = {
  file: 'progress',
  async read(of, ports, after) {
    const { enrollment, lesson } = placeOf(after);
    const begun = enrollment !== undefined && lesson !== undefined ? [enrollment] : [];
    const behind = enrollment === undefined ? {} : { after: { value: null, id: enrollment } };
    const where = [{ field: own.field, is: of.subject }];
    const page = await ports.documents.query(enrollments, of.school, { where, limit: mostEnrollments, ...behind });
    const records: Awaited<ReturnType<typeof lessonsOf>> = [];
    for (const id of [...begun, ...page.items.map((row) => row.id)]) {
      const learnt = await lessonsOf(ports, of.school, id, id === enrollment ? lesson : undefined);
      records.push(...learnt.slice(0, mostLessons - records.length));
      const last = records.at(-1);
      if (records.length === mostLessons && last) return { records, next: `${last.enrollment_id}/${last.lesson_id}` };
    }
    return { records, next: page.more ? page.items.at(-1)?.id : undefined };
  },
};

/** What a person gets of their enrollments. */
export const personalEnrollmentData: readonly PersonalData<Ports>[] = [enrollmentData, progressData];
