import type { Collection, Document, Incoming, Projection } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type CurriculumEvent, curriculumEvents } from '../curriculum/curriculum.events.ts';
import { type CourseEvent, courseEvents } from './course.events.ts';
import { type CourseRow, project } from './course.view.ts';

/** The read model behind the list of courses. */
export const courses: Collection = {
  name: 'courses',
  version: 3,
  fields: {
    listed: 'boolean',
    owners: 'set',
    status: 'text',
    access: 'text',
    category: 'text',
    tags: 'set',
    lecturer_ids: 'set',
    search: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** Folds each course's events into its row. */
export const courseProjection: Projection = {
  collection: courses,
  key({ stream, type }) {
    if (stream.startsWith('course_')) return stream;
    return type === 'CurriculumTotalled' ? stream.replace(/^curriculum_/, 'course_') : undefined;
  },
  project(event, before) {
    if (event.type === 'CurriculumTotalled') return totalled(event, before);
    const row = before as CourseRow | undefined;
    const { at, version } = event;
    return project(row, upcast(courseEvents, event) as CourseEvent, { at, version }) as Document | null;
  },
};

/** The row with the number and the length of the lessons that a curriculum has now. */
function totalled(event: Incoming, before: Document | undefined): Document | null {
  const { data } = upcast(curriculumEvents, event) as Extract<CurriculumEvent, { type: 'CurriculumTotalled' }>;
  return before ? { ...before, ...data } : null;
}
