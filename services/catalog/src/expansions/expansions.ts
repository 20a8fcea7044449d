import { type Call, type Expansions, expandedIn, type Ports } from '@lyceum/web';
import { courseExpansion, coursesExpansion, shownCourses } from '../courses/course.expansion.ts';
import { curriculumExpansion, shownCurriculum } from '../curriculum/curriculum.expansion.ts';
import { lecturersExpansion, shownLecturers } from '../lecturers/lecturer.expansion.ts';

/** What each course of a list can show whole. */
export const courseItemExpansions = { lecturers: lecturersExpansion } as const satisfies Expansions;

/** What a course can show whole. */
export const courseExpansions = {
  lecturers: { ...lecturersExpansion, within: { courses: coursesExpansion } },
  curriculum: curriculumExpansion,
} as const satisfies Expansions;

/** What a lecturer can show whole, alone or in a list: the public courses. */
export const lecturerExpansions = {
  courses: { ...coursesExpansion, within: courseItemExpansions },
} as const satisfies Expansions;

/** What a curriculum and a lesson can show whole. */
export const curriculumExpansions = {
  course: { ...courseExpansion, within: courseItemExpansions },
} as const satisfies Expansions;

type Asking = Pick<Call, 'school' | 'principal' | 'view'>;
type Wanted = readonly string[] | undefined;

/** Things with what `wanted` names in them, each as the caller sees it; what the caller may not know of is left out. */
type Expand<Thing> = <T extends Thing>(
  call: Asking,
  ports: Ports,
  things: readonly T[],
  wanted: Wanted,
) => Promise<T[]>;

/** Courses with their lecturers. */
export const expandCourses: Expand<Pick<Course, 'lecturer_ids'>> = async (call, ports, things, wanted) => {
  const below = expandedIn(wanted, 'lecturers');
  if (!below) return [...things];
  const ids = [...new Set(things.flatMap(({ lecturer_ids }) => lecturer_ids))];
  const found = await expandLecturers(call, ports, await shownLecturers(call, ports, ids), below);
  const byId = new Map(found.map((lecturer) => [lecturer.id, lecturer]));
  return things.map((thing) => ({ ...thing, lecturers: thing.lecturer_ids.flatMap((id) => byId.get(id) ?? []) }));
};

/** Lecturers with their public courses. */
export const expandLecturers: Expand<{ readonly id: string }> = async (call, ports, things, wanted) => {
  const below = expandedIn(wanted, 'courses');
  if (!below) return [...things];
  const ids = things.map(({ id }) => id);
  const taught = await shownCourses(call, ports, ids);
  const different = new Map(taught.flat().map((course) => [course.id, course]));
  const expanded = await expandCourses(call, ports, [...different.values()], below);
  const byId = new Map(expanded.map((course) => [course.id, course]));
  return things.map((thing, index) => ({ ...thing, courses: taught[index]!.map(({ id }) => byId.get(id)!) }));
};

interface Course {
  readonly slug: string;
  readonly lecturer_ids: readonly string[];
}

/** A course, that the caller has reached, with its lecturers and its curriculum. */
export async function expandCourse<T extends Course>(
  call: Asking & Pick<Call, 'at'>,
  ports: Ports,
  course: T,
  wanted: Wanted,
) {
  const [expanded] = await expandCourses(call, ports, [course], wanted);
  if (!expandedIn(wanted, 'curriculum')) return expanded!;
  // By its slug, by which also an unlisted course is found.
  return { ...expanded!, curriculum: await shownCurriculum(call, ports, course.slug) };
}

/** A curriculum, or a part of it, with its course. */
export async function expandCourseOf<T>(
  call: Asking,
  ports: Ports,
  part: T,
  course: () => Pick<Course, 'lecturer_ids'>,
  wanted: Wanted,
) {
  const below = expandedIn(wanted, 'course');
  if (!below) return part;
  const [expanded] = await expandCourses(call, ports, [course()], below);
  return { ...part, course: expanded };
}
