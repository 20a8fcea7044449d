import type { Found } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import { type Call, type Ports, Problem, type View } from '@lyceum/web';
import { lessonsByCourse } from '../courses/known-outlines.ts';
import { enrollmentOf } from './enrollment.rows.ts';
import { enrollmentDecider } from './enrollment.ts';
import { enrollmentDocument } from './enrollment.view.ts';

/** Who calls. Throws without a token: operations on an account take no anonymous calls. */
export function callerOf({ principal }: Pick<Call, 'principal'>): string {
  if (!principal) throw new Error('an operation on an account takes no anonymous calls');
  return principal.subject;
}

/** The enrollment that a path names, as of now, when it is the caller's. Throws 404 otherwise. */
export async function ownEnrollment(
  call: Pick<Call, 'school' | 'principal'> & { readonly params: { readonly enrollment: string } },
  { log }: Pick<Ports, 'log'>,
) {
  const found = await fold(log, enrollmentDecider, call.school, call.params.enrollment);
  if (found.state?.member_id !== callerOf(call)) throw new Problem('not_found', 'You have no such enrollment');
  return { ...found, enrollment: found.state };
}

/** Shows rows of enrollments, with the progress in their courses as these are now. */
export async function enrollmentRowsShown(
  ports: Pick<Ports, 'documents'>,
  { school, at: now }: Pick<Call, 'school' | 'at'>,
  view: View,
  rows: readonly Found[],
) {
  const enrollments = new Map(rows.map(({ id, body }) => [id, enrollmentOf(body)]));
  const courses = await lessonsByCourse(
    ports,
    school,
    [...enrollments.values()].map(({ course_id }) => course_id),
  );
  return ({ id, body }: Found) => {
    const enrollment = enrollments.get(id) ?? enrollmentOf(body);
    return enrollmentDocument(id, enrollment, {
      view,
      now,
      path: { lessons: courses.get(enrollment.course_id) ?? [] },
    });
  };
}
