import { uuidv5 } from '@lyceum/kernel';
import { type Grant, isLive } from '../grants/grant.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';
import { type AwaitedGrant, type Seating, unseated } from './enrollment.seating.ts';
import type { Enrollment, EnrollmentState } from './enrollment.state.ts';

/** What becomes of the seat of an enrollment. */
export type SeatCommand =
  /** It came. */
  | { readonly type: 'TakeSeat'; readonly request_id: string }
  /** There is none. */
  | { readonly type: 'RefuseSeat'; readonly request_id: string }
  /** Nobody is left who would have it. */
  | { readonly type: 'GiveUpSeat' };

interface Enrolled {
  readonly member_id: string;
  readonly course_id: string;
  /** RFC 3339 UTC. */
  readonly now: string;
}

const about = ({ member_id, course_id }: Omit<Enrolled, 'now'>) => ({ member_id, course_id });

/** The stream of a member's access to a course: its id follows from the two, so there is one. */
export const enrollmentStream = (member: string, course: string): string =>
  `enrollment_${uuidv5('enrollment', member, course)}`;

const form = /^(enrollment_[0-9a-f-]{36})\.\d{1,9}$/;

/** The enrollment that a request for a seat is of; undefined when it is of something else. */
export const enrollmentOfRequest = (request_id: string): string | undefined => form.exec(request_id)?.[1];

/** The id of a request for a seat: the enrollment, and how often one was asked for. */
const requestId = ({ member_id, course_id }: Omit<Enrolled, 'now'>, { requests }: Seating): string =>
  `${enrollmentStream(member_id, course_id)}.${requests + 1}`;

/** What is given without an order, and by no plan: orders have seats of their own, and plans open what there is without one. */
const isSeated = ({ source_type }: Pick<Grant, 'source_type'>): boolean =>
  source_type === 'staff' || source_type === 'free';

/** Whether the member has a seat, or sits without one since before there was a limit. */
const sits = ({ grants }: Pick<Enrollment, 'grants'>, now: string): boolean =>
  grants.some((grant) => isSeated(grant) && isLive(grant, now));

/** The grants with those that wait for a seat, as if these counted already: nobody is to be given a second one. */
export function withAwaited(state: EnrollmentState, now: string): readonly Grant[] | undefined {
  if (!state) return undefined;
  const awaited = state.seating.awaiting.map((grant) => ({ ...grant, starts_at: now, revoked: false }));
  return [...state.grants.filter(({ grant_id }) => !isAwaited(state.seating, grant_id)), ...awaited];
}

const isAwaited = ({ awaiting }: Seating, id: string): boolean => awaiting.some(({ grant_id }) => grant_id === id);

/** What a command changes of grants, where those have to wait for a seat. `needed`: the course has so many. */
export function withSeat(
  command: Enrolled,
  needed: boolean,
  state: EnrollmentState,
  events: readonly EnrollmentEvent[],
): readonly EnrollmentEvent[] {
  const seating = state?.seating ?? unseated;
  // A seat that was not returned yet is there for the next grant.
  const waits = needed && !seating.obtained && !(state && sits(state, command.now));
  const awaited = events.map((event): EnrollmentEvent => {
    if (event.type !== 'AccessGranted' && event.type !== 'AccessExtended') return event;
    const { grant_id, source_type, source_id, expires_at } = event.data;
    if (!isAwaited(seating, grant_id) && !(waits && isSeated(event.data))) return event;
    return { type: 'AccessAwaited', data: { ...about(command), grant_id, source_type, source_id, expires_at } };
  });
  const asks = seating.request_id === null && awaited.some(({ type }) => type === 'AccessAwaited');
  const request = { ...about(command), request_id: requestId(command, seating) };
  return asks ? [{ type: 'SeatRequested', data: request }, ...awaited] : awaited;
}

/** The grant that waited for the seat. */
function grantOf(command: Enrolled, { grants }: Enrollment, awaited: AwaitedGrant): EnrollmentEvent {
  const data = { ...about(command), ...awaited };
  return grants.some(({ grant_id }) => grant_id === awaited.grant_id)
    ? { type: 'AccessExtended', data }
    : { type: 'AccessGranted', data: { ...data, starts_at: command.now } };
}

/** What changes with the answer to a request, and when nobody is left; nothing with an answer that comes too late. */
export function decideSeat(command: Enrolled & SeatCommand, state: EnrollmentState): readonly EnrollmentEvent[] {
  if (!state?.seating.request_id) return [];
  const { request_id, obtained, awaiting } = state.seating;
  const data = { ...about(command), request_id };
  if (command.type === 'GiveUpSeat') return [{ type: 'SeatReturned', data }];
  if (command.request_id !== request_id || obtained) return [];
  if (command.type === 'RefuseSeat') return [{ type: 'SeatRefused', data }];
  return [{ type: 'SeatObtained', data }, ...awaiting.map((awaited) => grantOf(command, state, awaited))];
}

/** That no grant is left that the seat is for, nor any that waits for it. */
export function seatEnd({ now }: Pick<Enrolled, 'now'>, state: EnrollmentState): readonly EnrollmentEvent[] {
  if (!state?.seating.request_id) return [];
  const { request_id, awaiting } = state.seating;
  if (awaiting.length > 0 || sits(state, now)) return [];
  return [{ type: 'SeatReturned', data: { ...about(state), request_id } }];
}
