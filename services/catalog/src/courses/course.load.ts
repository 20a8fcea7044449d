import { claimant, type Expectation, fold, type Folded } from '@lyceum/eventlog';
import { type Call, type Ports, Problem } from '@lyceum/web';
import { curriculumDecider, curriculumStream } from '../curriculum/curriculum.ts';
import { profileOf } from './course.lecturers.ts';
import type { View } from '../resource/view.ts';
import { manages, mayKnow, type Viewer, viewOf } from './course.access.ts';
import { courseDecider, slugClaim } from './course.ts';
import { type Course, exists } from './course.state.ts';

type Asking = Pick<Call, 'school' | 'principal' | 'view'>;

/** A course as the log has it now. */
export interface LoadedCourse extends Omit<Folded<Course>, 'state'> {
  readonly course: Course;
  /** The course and its lessons as they were read. */
  readonly upon: readonly Expectation[];
  readonly viewer: Viewer;
  /** How much of the course the caller sees. */
  readonly view: View;
}

/** Who asks for courses: owners and admins manage all, lecturers their own. */
export async function viewerOf(asking: Asking, ports: Pick<Ports, 'log'>): Promise<Viewer> {
  const { principal, view } = asking;
  if (view !== 'staff') return { view, names: [], manages: 'none' };
  if (principal?.role !== 'lecturer') return { view, names: [], manages: 'all' };
  const profile = await profileOf(asking, ports);
  return { view, names: [principal.subject, ...(profile === undefined ? [] : [profile])], manages: 'own' };
}

/** The published lessons of a course, as of now. */
async function totalsOf({ log }: Pick<Ports, 'log'>, school: string, course: string) {
  const stream = curriculumStream(course);
  const { state, version } = await fold(log, curriculumDecider, school, stream);
  const { lesson_count, duration_s } = state;
  return { totals: { lesson_count, duration_s }, read: { stream, version } };
}

const whole = new WeakMap<Course, Course>();

/** A course with the lessons that it has; the same object as long as both are what they were. */
function withTotals(state: Course, totals: Pick<Course, 'lesson_count' | 'duration_s'>): Course {
  const known = whole.get(state);
  if (known?.lesson_count === totals.lesson_count && known.duration_s === totals.duration_s) return known;
  const course = { ...state, ...totals };
  whole.set(state, course);
  return course;
}

/**
 * The course of this id or slug, old slugs included, as somebody who may know of it gets it. Strongly consistent.
 * Throws the 404 problem otherwise.
 */
export async function loadCourse(asking: Asking, ref: string, ports: Pick<Ports, 'log'>): Promise<LoadedCourse> {
  const { log } = ports;
  const { school } = asking;
  const stream = ref.startsWith('course_') ? ref : await claimant(log, school, slugClaim, ref);
  if (stream === undefined) throw new Problem('not_found');
  const [{ state, version, lane, position }, { totals, read }, viewer] = await Promise.all([
    fold(log, courseDecider, school, stream),
    totalsOf(ports, school, stream),
    viewerOf(asking, ports),
  ]);
  const course = exists(state) ? withTotals(state, totals) : state;
  if (!exists(course) || !mayKnow(viewer, course, ref)) throw new Problem('not_found');
  const upon = [{ stream, version }, read];
  return { course, version, lane, position, upon, viewer, view: viewOf(viewer, course) };
}

/** The course for somebody who means to change it. Throws 404 when they may not know of it, else 403 when it is not theirs. */
export async function loadForUpdate(asking: Asking, ref: string, ports: Pick<Ports, 'log'>): Promise<LoadedCourse> {
  const loaded = await loadCourse(asking, ref, ports);
  if (!manages(loaded.viewer, loaded.course)) throw new Problem('access_denied', 'This course is not one of yours');
  return loaded;
}
