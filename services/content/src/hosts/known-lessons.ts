import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

/** Which course each lesson belongs to. */
const lessons: Collection = { name: 'lessons', version: 1, fields: {} };

type LessonFact = Extract<FactOf<'catalog'>, { type: 'LessonPublished' | 'LessonChanged' | 'LessonRemoved' }>;

const isLessonFact = eventGuard<LessonFact>('LessonPublished', 'LessonChanged', 'LessonRemoved');

interface LessonRow {
  readonly course_id: string;
}

/** What the service knows of lessons that were ever published, from the integration events of the catalog service. */
export const lessonProjection: Projection = {
  collection: lessons,
  key: (fact) => (isLessonFact(fact) ? fact.data.lesson_id : undefined),
  project(fact, before) {
    if (!isLessonFact(fact)) return before ?? null;
    return fact.type === 'LessonRemoved' ? null : { course_id: fact.data.course_id };
  },
};

/** The course of a lesson; undefined while no integration event of it has arrived. */
export async function courseOfLesson(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  lesson: string,
): Promise<string | undefined> {
  return rowAs<LessonRow>(await documents.get(lessons, school, lesson))?.course_id;
}
