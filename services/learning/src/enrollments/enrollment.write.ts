import type { Executed } from '@lyceum/eventlog';
import {
  type Deciding,
  type Ports,
  type Reply,
  type StatusTable,
  type View,
  accepted,
  asOf,
  attempt,
} from '@lyceum/web';
import { learningPath } from '../courses/known-outlines.ts';
import type { Enrollment, EnrollmentState } from './enrollment.state.ts';
import { type EnrollmentCode, type EnrollmentCommand, enrollmentDecider } from './enrollment.ts';
import { enrollmentDocument } from './enrollment.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const enrollmentRejections = {
  not_found: 404,
  already_granted: 409,
  invalid_state: 409,
  locked_lesson: 409,
  not_entitled: 409,
  validation_failed: 422,
} as const satisfies StatusTable<EnrollmentCode>;

/** An enrollment after a command. */
export type Decided = Executed<EnrollmentState> & { readonly state: Enrollment };

/** Brings the command of a call to an enrollment. Throws the problem that a rejection means. */
export async function decideEnrollment(
  call: Deciding,
  ports: Pick<Ports, 'log'>,
  stream: string,
  command: EnrollmentCommand,
): Promise<Decided> {
  const done = accepted(await attempt(call, ports, enrollmentDecider, stream, command), enrollmentRejections);
  const { state } = done;
  if (!state) throw new Error('a command to an enrollment left none');
  return { ...done, state };
}

/** The answer to a command. */
export async function enrollmentReplyOf(
  { stream, state, ...done }: Decided,
  { school, at: now }: Pick<Deciding, 'school' | 'at'>,
  view: View,
  ports: Pick<Ports, 'documents'>,
): Promise<Reply> {
  const path = await learningPath(ports, school, state.course_id);
  return { body: enrollmentDocument(stream, state, { view, now, path }), ...asOf(done) };
}
