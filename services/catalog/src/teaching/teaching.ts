import type { Documents } from '@lyceum/documents';
import { type Evolving, type Expectation, fold } from '@lyceum/eventlog';
import type { Ports } from '@lyceum/web';
import { courses } from '../courses/course.projection.ts';
import type { CourseRow } from '../courses/course.view.ts';
import { courseDecider } from '../courses/course.ts';
import { teachingStream } from '../courses/course.teaching.ts';
import { type TeachingEvent, teachingEvents } from './teaching.events.ts';

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

/** The courses that were ever public with a lecturer. */
export const teaching: Evolving<readonly string[], TeachingEvent> = {
  events: teachingEvents,
  initial: [],
  evolve: (taught, { data: { course_id } }) => (taught.includes(course_id) ? taught : [...taught, course_id]),
};

/** The published courses that count on a lecturer, as of now, each with the lecturers beside; and what that was read from. */
export async function coursesCountingOn(
  { log, documents }: Pick<Ports, 'log' | 'documents'>,
  school: string,
  lecturer: string,
): Promise<{ readonly others: readonly (readonly string[])[]; readonly upon: readonly Expectation[] }> {
  const stream = teachingStream(lecturer);
  const { state: known, version } = await fold(log, teaching, school, stream);
  // What was published before there were such streams, only the lists tell.
  const listed = await publishedBy(documents, school, lecturer);
  const ids = [...new Set([...known, ...listed.map(({ id }) => id)])];
  const folded = await Promise.all(ids.map(async (id) => ({ id, ...(await fold(log, courseDecider, school, id)) })));
  const counting = folded.flatMap(({ id, state, version: at }) =>
    state.status === 'published' && state.lecturer_ids.includes(lecturer)
      ? [{ others: state.lecturer_ids.filter((other) => other !== lecturer), read: { stream: id, version: at } }]
      : [],
  );
  return {
    others: counting.map(({ others }) => others),
    upon: [{ stream, version }, ...counting.map(({ read }) => read)],
  };
}
