import { type AskingPorts, askFor } from '@lyceum/service';
import { type Call, Problem } from '@lyceum/web';
import { z } from 'zod';

/** Of what figures are given: of a course, or null = of the whole school. */
export type Scope = string | null;

/** Courses of a lecturer that are answered at once, each in rows of its own. */
const mostCourses = 20;

const owned = z.object({ courses: z.array(z.string()) });

/**
 * Of what the caller may know figures, of what they ask for: owners and admins of everything, lecturers of each of their own
 * courses. Throws the problem when it is nothing.
 */
export async function scopesOf(
  { school, principal }: Pick<Call, 'school' | 'principal'>,
  course: string | undefined,
  ports: AskingPorts,
): Promise<readonly Scope[]> {
  if (principal?.role !== 'lecturer') return [course ?? null];
  const question = { kind: 'courses-of-lecturer', school, member: principal.subject };
  const { courses } = (await askFor(ports, 'catalog', question, owned)) ?? { courses: [] };
  const wanted = course === undefined ? courses : courses.filter((each) => each === course);
  if (course !== undefined && wanted.length === 0) throw new Problem('not_found', 'There is no such course of yours');
  if (wanted.length > mostCourses)
    throw new Problem('validation_failed', `You have more than ${mostCourses} courses: name one by course_id`, {
      details: [{ path: 'course_id', code: 'required', message: 'must name a course' }],
    });
  return wanted.toSorted();
}
