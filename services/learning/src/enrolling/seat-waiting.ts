import { fold } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import { type Call, type Ports, Problem } from '@lyceum/web';
import { setTimeout as pause } from 'node:timers/promises';
import type { AwaitedGrant } from '../enrollments/enrollment.seating.ts';
import type { Enrollment } from '../enrollments/enrollment.state.ts';
import { enrollmentDecider } from '../enrollments/enrollment.ts';
import type { Decided } from '../enrollments/enrollment.write.ts';
import type { Source } from '../grants/grant.ts';

/** What the operations say of 202. */
export const seatPending =
  'The enrollment waits for a seat: its state is `awaiting_seat`, and a moment later another one';

/** What became of a grant: it counts, or did, or it waits for a seat still. */
export interface Seated {
  readonly done: Decided;
  readonly isWaiting: boolean;
  /** The time as of which it is so, RFC 3339 UTC: access that waited began after the call. */
  readonly at: string;
}

const soldOut = () => new Problem('sold_out', 'All seats of this course are taken, or held for somebody who pays');

/** Whether the grant came that waited. `before`: the enrollment while it waited. */
function hasCome({ grant_id, expires_at }: AwaitedGrant, before: Enrollment, { grants }: Enrollment): boolean {
  const of = (all: Enrollment['grants']) => all.find((each) => each.grant_id === grant_id);
  const grant = of(grants);
  // One that was there before waited for another end.
  return grant !== undefined && (grant.revoked || !of(before.grants) || grant.expires_at === expires_at);
}

/**
 * The enrollment once the grant of a source does not wait for its seat any more, or the time is over (`performance.now()`).
 * Throws the 409 problem when there is no seat.
 */
export async function seated(
  { school, at }: Pick<Call, 'school' | 'at'>,
  { log, clock }: Pick<Ports, 'log' | 'clock'>,
  done: Decided,
  source_type: Source['source_type'],
  until: number,
): Promise<Seated> {
  const awaited = done.state.seating.awaiting.find((grant) => grant.source_type === source_type);
  if (!awaited) return { done, isWaiting: false, at };
  for (let look = 5; ; look = Math.min(2 * look, 100)) {
    const { state, ...found } = await fold(log, enrollmentDecider, school, done.stream);
    if (!state) throw new Error('an enrollment that was written is not there');
    const now = { done: { ...done, ...found, state } satisfies Decided, at: isoTime(clock.now()) };
    if (!state.seating.awaiting.some(({ grant_id }) => grant_id === awaited.grant_id)) {
      if (!hasCome(awaited, done.state, state)) throw soldOut();
      return { ...now, isWaiting: false };
    }
    const left = until - performance.now();
    if (left <= 0) return { ...now, isWaiting: true };
    await pause(Math.min(look, left));
  }
}
