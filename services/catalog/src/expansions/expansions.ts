import { type Expansions, expandedIn } from '@lyceum/web';
import { courseExpansion, courseOfCurriculum, coursesExpansion, shownCourses } from '../courses/course.for-areas.ts';
import { curriculumExpansion, shownCurriculum } from './curriculum.expansion.ts';
import { lecturersExpansion, shownLecturers } from '../lecturers/lecturer.expansion.ts';
import type { Expander } from '@lyceum/service';

/*
 * Courses show their lecturers, lecturers their courses, a curriculum its course: each area declares how it is shown in
 * others, and is given here how the others are shown in it.
 */

interface NamesLecturers {
  readonly lecturer_ids: readonly string[];
}

const inCourses = { lecturers: lecturersExpansion } as const satisfies Expansions;

/** Courses of a list, with their lecturers. */
export const coursesExpander: Expander<NamesLecturers> = {
  expansions: inCourses,
  async expand(call, ports, things, wanted) {
    const below = expandedIn(wanted, 'lecturers');
    if (!below) return things;
    const ids = [...new Set(things.flatMap(({ lecturer_ids }) => lecturer_ids))];
    const found = await lecturersExpander.expand(call, ports, await shownLecturers(call, ports, ids), below);
    const byId = new Map(found.map((lecturer) => [lecturer.id, lecturer]));
    return things.map((thing) => ({ ...thing, lecturers: thing.lecturer_ids.flatMap((id) => byId.get(id) ?? []) }));
  },
};

/** Lecturers, with their public courses. */
export const lecturersExpander: Expander<{ readonly id: string }> = {
  expansions: { courses: { ...coursesExpansion, within: inCourses } },
  async expand(call, ports, things, wanted) {
    const below = expandedIn(wanted, 'courses');
    if (!below) return things;
    const ids = things.map(({ id }) => id);
    const taught = await shownCourses(call, ports, ids);
    const different = new Map(taught.flat().map((course) => [course.id, course]));
    const expanded = await coursesExpander.expand(call, ports, [...different.values()], below);
    const byId = new Map(expanded.map((course) => [course.id, course]));
    return things.map((thing, index) => ({
      ...thing,
      courses: (taught[index] ?? []).flatMap(({ id }) => byId.get(id) ?? []),
    }));
  },
};

/** One course that the caller may know of, with its lecturers and its curriculum. */
export const courseExpander: Expander<NamesLecturers & { readonly slug: string }> = {
  expansions: {
    lecturers: { ...lecturersExpansion, within: { courses: coursesExpansion } },
    curriculum: curriculumExpansion,
  },
  async expand(call, ports, things, wanted) {
    const expanded = await coursesExpander.expand(call, ports, things, wanted);
    if (!expandedIn(wanted, 'curriculum')) return expanded;
    // By its slug, by which also an unlisted course is found.
    const withCurriculum = async (course: (typeof expanded)[number]) => ({
      ...course,
      curriculum: await shownCurriculum(courseOfCurriculum, call, ports, course.slug),
    });
    return Promise.all(expanded.map(withCurriculum));
  },
};

/** A curriculum, or a part of it, with the course that it comes with. */
export const curriculumExpander: Expander<{ readonly course: NamesLecturers }> = {
  expansions: { course: { ...courseExpansion, within: inCourses } },
  async expand(call, ports, things, wanted) {
    const courses = things.map(({ course }) => course);
    const expanded = await coursesExpander.expand(call, ports, courses, expandedIn(wanted, 'course'));
    return things.map((thing, index) => ({ ...thing, course: expanded[index]! }));
  },
};
