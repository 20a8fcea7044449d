import { type Decider, type Rejection, reject, uuidv5 } from '@lyceum/kernel';
import { type Cancellation, type Guest, type RegistrationEvent, registrationEvents } from './registration.events.ts';
import { type Registration, type RegistrationState, evolve } from './registration.state.ts';

export { registrationStatuses } from './registration.state.ts';

/** Who registers for what. */
interface Registering {
  readonly event_id: string;
  readonly member_id: string | null;
  readonly guest: Guest | null;
  /** When the event begins, RFC 3339 UTC. */
  readonly starts_at: string;
}

/** What can be asked of a registration. */
export type RegistrationCommand =
  | (Registering & {
      readonly type: 'Register';
      readonly id: string;
      /** Others wait for a seat already. */
      readonly queued: boolean;
    })
  /** A seat came with the line of an order. */
  | (Registering & { readonly type: 'RegisterBuyer'; readonly line_id: string })
  /** `uncounted`: there is no limit, so nobody counts. */
  | { readonly type: 'ConfirmSeat'; readonly request_id: string; readonly uncounted: boolean }
  | { readonly type: 'DenySeat'; readonly request_id: string; readonly waitlist: boolean }
  /** It waits behind others. */
  | { readonly type: 'Queue' }
  /** It waits, and a seat is asked for. */
  | { readonly type: 'RequestSeat'; readonly id: string }
  /** There is a limit by now: the seat that nobody counted is to be counted. */
  | { readonly type: 'CountSeat'; readonly id: string }
  | { readonly type: 'Reschedule'; readonly starts_at: string }
  | { readonly type: 'Cancel'; readonly reason: Cancellation; readonly line_id?: string }
  | { readonly type: 'CheckIn'; readonly by: string };

/** What a command can be rejected for. */
export type RegistrationCode = 'not_found' | 'invalid_state';

type Command<T extends RegistrationCommand['type']> = Extract<RegistrationCommand, { type: T }>;
type Decision = readonly RegistrationEvent[] | Rejection<RegistrationCode>;

/** The stream of the registration of somebody for an event: a member, or what a guest is known by. */
export const registrationStream = (event_id: string, person: string): string =>
  `registration_${uuidv5('registration', event_id, person)}`;

/** The registration that a request for a seat is of; undefined when it is of another kind. */
export const registrationOf = (request_id: string): string | undefined =>
  /^(registration_[0-9a-f-]{36})\.\d+$/.exec(request_id)?.[1];

/** Whether somebody has a place, or may get one. */
export const isLive = (state: RegistrationState): state is Registration =>
  state !== null && state.status !== 'canceled';

/** Whether somebody may come. */
export const isComing = ({ status }: Pick<Registration, 'status'>): boolean =>
  status === 'confirmed' || status === 'attended';

function requestSeat(
  id: string,
  { event_id, member_id }: Pick<Registration, 'event_id' | 'member_id'>,
  requests: number,
): RegistrationEvent {
  return { type: 'SeatRequested', data: { event_id, member_id, request_id: `${id}.${requests + 1}` } };
}

type About = Pick<Registration, 'event_id' | 'member_id' | 'starts_at'> & { readonly line_id: string | null };

const about = ({ event_id, member_id, starts_at, line_id }: About) => ({
  event_id,
  member_id,
  starts_at,
  ...(line_id === null ? {} : { line_id }),
});

const confirmed = (of: About, promoted: boolean, uncounted = false): RegistrationEvent => ({
  type: 'RegistrationConfirmed',
  data: { ...about(of), promoted, ...(uncounted ? { uncounted } : {}) },
});

const waitlisted = ({ event_id, starts_at }: Registration): RegistrationEvent => ({
  type: 'RegistrationWaitlisted',
  data: { event_id, starts_at },
});

function register({ type: _type, id, ...data }: Command<'Register'>, state: RegistrationState): Decision {
  const requests = state?.requests ?? 0;
  if (isLive(state)) return [];
  const request: RegistrationEvent = { type: 'RegistrationRequested', data };
  return data.queued ? [request] : [request, requestSeat(id, data, requests)];
}

/** What was bought is had, whatever became of a registration that cost nothing. */
function registerBuyer({ type: _type, ...data }: Command<'RegisterBuyer'>, state: RegistrationState): Decision {
  if (isLive(state) && isComing(state)) return [];
  const returned = isLive(state) ? seatReturned(state) : [];
  return [...returned, { type: 'RegistrationRequested', data: { ...data, queued: false } }, confirmed(data, false)];
}

function confirm({ request_id, uncounted }: Command<'ConfirmSeat'>, state: Registration): Decision {
  const { status } = state;
  if (state.request_id !== request_id || (status !== 'pending' && status !== 'waitlisted')) return [];
  return [confirmed(state, status === 'waitlisted', uncounted)];
}

function deny({ request_id, waitlist }: Command<'DenySeat'>, state: Registration): Decision {
  if (state.request_id !== request_id) return [];
  if (state.status === 'waitlisted') return [{ type: 'SeatRefused', data: { request_id } }];
  if (state.status !== 'pending') return [];
  return waitlist ? [waitlisted(state)] : [{ type: 'SeatRefused', data: { request_id } }, canceled(state, 'sold_out')];
}

const canceled = (of: Registration, reason: Cancellation): RegistrationEvent => ({
  type: 'RegistrationCanceled',
  data: { ...about(of), reason },
});

const seatReturned = ({ event_id, request_id }: Registration): readonly RegistrationEvent[] =>
  request_id === null ? [] : [{ type: 'SeatReturned', data: { event_id, request_id } }];

function cancel({ reason, line_id }: Command<'Cancel'>, state: Registration): Decision {
  // What another line was about stays.
  if (state.status === 'canceled' || (line_id !== undefined && state.line_id !== line_id)) return [];
  const isAsked = reason === 'self' || reason === 'staff';
  if (isAsked && state.status === 'attended') return reject('invalid_state', 'Who was there cannot cancel any more');
  if (isAsked && state.line_id !== null)
    return reject('invalid_state', 'It was bought: a refund of its order cancels it');
  return [...seatReturned(state), canceled(state, reason)];
}

function checkIn({ by }: Command<'CheckIn'>, { status, event_id }: Registration): Decision {
  if (status === 'attended') return [];
  if (status !== 'confirmed') return reject('invalid_state', `A registration that is ${status} cannot be checked in`);
  return [{ type: 'AttendeeCheckedIn', data: { event_id, by } }];
}

function reschedule({ starts_at }: Command<'Reschedule'>, state: Registration): Decision {
  if (!isLive(state) || state.starts_at === starts_at) return [];
  return [{ type: 'RegistrationRescheduled', data: { from: state.starts_at, starts_at } }];
}

function seatAgain({ id }: Command<'RequestSeat'>, state: Registration): Decision {
  if (state.status !== 'waitlisted' || state.request_id !== null)
    return reject('invalid_state', 'It does not wait for a seat');
  return [requestSeat(id, state, state.requests)];
}

const countSeat = ({ id }: Command<'CountSeat'>, state: Registration): Decision =>
  isComing(state) && state.uncounted ? [requestSeat(id, state, state.requests)] : [];

function decide(command: RegistrationCommand, state: RegistrationState): Decision {
  if (command.type === 'Register') return register(command, state);
  if (command.type === 'RegisterBuyer') return registerBuyer(command, state);
  if (!state) return reject('not_found', 'There is no such registration');
  switch (command.type) {
    case 'ConfirmSeat':
      return confirm(command, state);
    case 'DenySeat':
      return deny(command, state);
    case 'Queue':
      return state.status === 'pending' && state.queued ? [waitlisted(state)] : [];
    case 'RequestSeat':
      return seatAgain(command, state);
    case 'CountSeat':
      return countSeat(command, state);
    case 'Reschedule':
      return reschedule(command, state);
    case 'Cancel':
      return cancel(command, state);
    case 'CheckIn':
      return checkIn(command, state);
  }
}

/**
 * The registration of one person for an event. It asks commerce for a seat and is confirmed, or waits, by the answer; one
 * that was bought has its seat with the line of its order.
 */
export const registrationDecider: Decider<RegistrationState, RegistrationCommand, RegistrationEvent, RegistrationCode> =
  { events: registrationEvents, initial: null, decide, evolve };
