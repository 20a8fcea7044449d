import type { Collection, Document, Projection } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type CourseEvent, courseEvents } from './course.events.ts';
import { type CourseRow, project } from './course.view.ts';

/** The read model behind the list of courses. */
export const courses: Collection = {
  name: 'courses',
  version: 1,
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
  key: ({ stream }) => (stream.startsWith('course_') ? stream : undefined),
  project(event, before) {
    const row = before as CourseRow | undefined;
    const { at, version } = event;
    return project(row, upcast(courseEvents, event) as CourseEvent, { at, version }) as Document | null;
  },
};
