import type { Documents } from '@lyceum/documents';
import { courses } from './course.projection.ts';
import type { CourseRow } from './course.view.ts';

const most = 200;

/** The published courses that a lecturer teaches, at most 200, as far as the lists have them. */
export async function publishedBy(
  documents: Documents,
  school: string,
  lecturer: string,
): Promise<readonly CourseRow[]> {
  const where = [
    { field: 'lecturer_ids', has: lecturer },
    { field: 'status', is: 'published' },
  ];
  const { items } = await documents.query(courses, school, { where, limit: most });
  return items.map(({ body }) => body as unknown as CourseRow);
}
