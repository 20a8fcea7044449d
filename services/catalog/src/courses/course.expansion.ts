import type { Call, Ports } from '@lyceum/web';
import { z } from 'zod';
import type { View } from '../resource/view.ts';
import { viewOf } from './course.access.ts';
import { courseItem } from './course.schema.ts';
import type { Course } from './course.state.ts';
import { courseDocument, courseItemDocument } from './course.view.ts';
import { loadCourse, viewerOf } from './course.load.ts';
import { publishedBy } from './course.lecturers.ts';

/** A course in something else that names it. */
export const courseExpansion = { scope: 'courses:read', reply: courseItem } as const;

/** Courses in something else that names them. */
export const coursesExpansion = { scope: 'courses:read', reply: z.array(courseItem) } as const;

/** A course as lists show it. */
function shownCourse(course: Course, view: View) {
  const { description: _long, ...item } = courseDocument(course, view);
  return item;
}

/** The public courses of each of some lecturers, as far as the list has them, as the caller sees them. */
export async function shownCourses(
  call: Pick<Call, 'school' | 'principal' | 'view'>,
  ports: Ports,
  lecturers: readonly string[],
) {
  const viewer = await viewerOf(call, ports);
  const published = await Promise.all(lecturers.map((id) => publishedBy(ports.documents, call.school, id)));
  return published.map((rows) =>
    rows.filter(({ listed }) => listed).map((row) => courseItemDocument(row, viewOf(viewer, row))),
  );
}

/** The course that a curriculum belongs to, for a caller who may know of it; throws 404 otherwise. */
export async function courseOfCurriculum(
  asking: Pick<Call, 'school' | 'principal' | 'view'>,
  ref: string,
  ports: Pick<Ports, 'log'>,
) {
  const { course, view } = await loadCourse(asking, ref, ports);
  return { course, view, shown: () => shownCourse(course, view) };
}
