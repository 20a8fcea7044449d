import { claimant, fold, type Folded } from '@lyceum/eventlog';
import { type Call, type Ports, Problem } from '@lyceum/web';
import { manages, mayKnow, type Viewer } from './course.access.ts';
import { courseDecider, slugClaim } from './course.ts';
import { type Course, exists } from './course.state.ts';

type Asking = Pick<Call, 'school' | 'principal' | 'view'>;

/** A course as the log has it now. */
export interface Reached extends Omit<Folded<Course>, 'state'> {
  readonly course: Course;
  readonly viewer: Viewer;
}

/** Who asks for courses: owners and admins manage all, lecturers their own. */
export function viewerOf({ principal, view }: Asking): Viewer {
  const all = principal?.role === 'owner' || principal?.role === 'admin';
  return { view, subject: principal?.subject, manages: view !== 'staff' ? 'none' : all ? 'all' : 'own' };
}

/**
 * The course of this id or slug, old slugs included, as somebody who may know of it gets it. Strongly consistent.
 * Throws the 404 problem otherwise.
 */
export async function reach(asking: Asking, ref: string, { log }: Pick<Ports, 'log'>): Promise<Reached> {
  const { school } = asking;
  const knows = ref.startsWith('course_') ? 'id' : 'slug';
  const stream = knows === 'id' ? ref : await claimant(log, school, slugClaim, ref);
  if (stream === undefined) throw new Problem('not_found');
  const { state: course, ...found } = await fold(log, courseDecider, school, stream);
  const viewer = viewerOf(asking);
  if (!exists(course) || !mayKnow(viewer, course, knows)) throw new Problem('not_found');
  return { ...found, course, viewer };
}

/** The course for somebody who means to change it. Throws 404 when they may not know of it, else 403 when it is not theirs. */
export async function reachToChange(asking: Asking, ref: string, ports: Pick<Ports, 'log'>): Promise<Reached> {
  const reached = await reach(asking, ref, ports);
  if (!manages(reached.viewer, reached.course)) throw new Problem('access_denied', 'This course is not one of yours');
  return reached;
}
