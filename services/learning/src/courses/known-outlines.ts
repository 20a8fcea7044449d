import { type Collection, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';
import { timezoneOf } from '../schools/known-schools.ts';
import { knownCourse } from './known-courses.ts';
import { type LearningPath, lessonsOf } from './learning-path.ts';
import { type Outline, type OutlineFact, noOutline, outlineAfter } from './outline.ts';

const outlines: Collection = { name: 'outlines', version: 1, fields: {} };

/** Whether an integration event says something about the lessons of a course. */
export const isOutlineFact = eventGuard<OutlineFact>(
  'SectionAdded',
  'SectionReleaseSet',
  'SectionRemoved',
  'LessonAdded',
  'LessonPublished',
  'LessonChanged',
  'LessonUnpublished',
  'LessonRemoved',
  'CurriculumReordered',
);

/** An outline with the version of the curriculum that it follows from. */
interface OutlineRow extends Outline {
  readonly version: number;
}

/** Where the lessons of each course stand, and what everybody may know of them, from the integration events of the catalog service. */
export const outlineProjection: Projection = {
  collection: outlines,
  key: (fact) => (isOutlineFact(fact) ? fact.data.course_id : undefined),
  project(fact, before) {
    const outline = before ? rowAs<OutlineRow>(before) : noOutline;
    return { ...(isOutlineFact(fact) ? outlineAfter(outline, fact) : outline), version: fact.version };
  },
};

interface Reading {
  readonly documents: Pick<Documents, 'get'>;
}

/** The version of a course's curriculum up to which integration events have arrived; 0 = none have. */
export async function outlineVersion({ documents }: Reading, school: string, course: string): Promise<number> {
  return rowAs<OutlineRow>(await documents.get(outlines, school, course))?.version ?? 0;
}

/** A course as those who learn find it, as far as integration events have arrived. */
export async function learningPath(ports: Reading, school: string, course: string): Promise<LearningPath> {
  const [outline, known, timezone] = await Promise.all([
    ports.documents.get(outlines, school, course),
    knownCourse(ports, school, course),
    timezoneOf(ports, school),
  ]);
  const lessons = lessonsOf(outline ? rowAs<Outline>(outline) : noOutline);
  return { title: known?.title || null, lessons, open: known?.access === 'open', timezone };
}
