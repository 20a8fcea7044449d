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
import type { Enrollment, EnrollmentState } from './enrollment.state.ts';
import { type EnrollmentCode, type EnrollmentCommand, enrollmentDecider } from './enrollment.ts';
import { enrollmentDocument } from './enrollment.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const enrollmentRejections = {
  not_found: 404,
  already_granted: 409,
  invalid_state: 409,
  validation_failed: 422,
} as const satisfies StatusTable<EnrollmentCode>;

/** An enrollment after a command. */
type Decided = Executed<EnrollmentState> & { readonly state: Enrollment };

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
export const enrollmentReplyOf = (done: Decided, { at }: Pick<Deciding, 'at'>, view: View): Reply => ({
  body: enrollmentDocument(done.stream, done.state, view, at),
  ...asOf(done),
});
