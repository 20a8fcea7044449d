import type { Found } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import { type Call, type Ports, Problem, type View } from '@lyceum/web';
import { learningPath } from '../courses/known-outlines.ts';
import type { LearningPath } from '../courses/learning-path.ts';
import { enrollmentOf } from './enrollment.rows.ts';
import { enrollmentDecider } from './enrollment.ts';
import { enrollmentDocument } from './enrollment.view.ts';

/** Whoever a token speaks for; undefined without one. */
export interface Calling {
  readonly principal: Pick<NonNullable<Call['principal']>, 'subject'> | undefined;
}

/** Who calls. Throws without a token: operations on an account take no anonymous calls. */
export function callerOf({ principal }: Calling): string {
  if (!principal) throw new Error('an operation on an account takes no anonymous calls');
  return principal.subject;
}

/** The enrollment that a path names, as of now, when it is the caller's. Throws 404 otherwise. */
export async function ownEnrollment(
  call: Pick<Call, 'school'> & Calling & { readonly params: { readonly enrollment: string } },
  { log }: Pick<Ports, 'log'>,
) {
  const found = await fold(log, enrollmentDecider, call.school, call.params.enrollment);
  if (found.state?.member_id !== callerOf(call)) throw new Problem('not_found', 'You have no such enrollment');
  return { ...found, enrollment: found.state };
}

/** Shows rows of enrollments, with the progress in their courses as these are now: each course is read once. */
export async function enrollmentRowsShown(
  ports: Pick<Ports, 'documents'>,
  { school, at: now }: Pick<Call, 'school' | 'at'>,
  view: View,
  rows: readonly Found[],
) {
  const paths = new Map<string, LearningPath>();
  const documents = new Map<string, object>();
  for (const { id, body } of rows) {
    const enrollment = enrollmentOf(body);
    const { course_id } = enrollment;
    const path = paths.get(course_id) ?? (await learningPath(ports, school, course_id));
    paths.set(course_id, path);
    documents.set(id, enrollmentDocument(id, enrollment, { view, now, path }));
  }
  return ({ id }: Found) => documents.get(id);
}
