import type { Documents } from '@lyceum/documents';
import { courses } from './course.projection.ts';

/** A public course in few words. */
interface Taught {
  readonly id: string;
  readonly listed: boolean;
  readonly lecturer_ids: readonly string[];
}

const most = 200;

/** The published courses that a lecturer teaches, at most 200, as far as the lists have them. */
export async function publishedBy(documents: Documents, school: string, lecturer: string): Promise<readonly Taught[]> {
  const where = [
    { field: 'lecturer_ids', has: lecturer },
    { field: 'status', is: 'published' },
  ];
  const { items } = await documents.query(courses, school, { where, limit: most });
  return items.map(({ id, body }) => ({
    id,
    listed: body['listed'] as boolean,
    lecturer_ids: body['lecturer_ids'] as readonly string[],
  }));
}
