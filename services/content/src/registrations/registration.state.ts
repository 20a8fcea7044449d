import { type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { Cancellation, Guest, RegistrationEvent } from './registration.events.ts';

/** What a registration goes through. */
export const registrationStatuses = ['pending', 'waitlisted', 'confirmed', 'attended', 'canceled'] as const;

/** The registration of one person for an event. */
export interface Registration extends Recorded {
  readonly status: (typeof registrationStatuses)[number];
  readonly event_id: string;
  /** null = a guest. */
  readonly member_id: string | null;
  readonly guest: Guest | null;
  /** It waits behind others without having asked for a seat. */
  readonly queued: boolean;
  /** How often seats were asked for: requests are named by it. */
  readonly requests: number;
  /** The request that was not answered, or by which it has its seat; null = none. */
  readonly request_id: string | null;
  /** Whether nobody counted its seat. */
  readonly uncounted: boolean;
  /** The line of the order by which it was bought; null = it cost nothing. */
  readonly line_id: string | null;
  /** Of the event, as far as it was told. RFC 3339 UTC, as all times. */
  readonly starts_at: string;
  /** The version at which that was told last: what people are reminded of. */
  readonly told: number;
  readonly requested_at: string;
  readonly confirmed_at: string | null;
  readonly canceled_at: string | null;
  readonly cancellation: Cancellation | null;
  readonly checked_in_at: string | null;
}

/** A registration; null = there never was one. */
export type RegistrationState = Registration | null;

type Requested = Extract<RegistrationEvent, { type: 'RegistrationRequested' }>;

const requested = (before: RegistrationState, { data }: Requested): Registration => ({
  ...(before ?? unrecorded),
  status: 'pending',
  event_id: data.event_id,
  member_id: data.member_id,
  guest: data.guest,
  queued: data.queued,
  requests: before?.requests ?? 0,
  request_id: null,
  uncounted: false,
  line_id: data.line_id ?? null,
  starts_at: data.starts_at,
  told: 0,
  requested_at: '',
  confirmed_at: null,
  canceled_at: null,
  cancellation: null,
  checked_in_at: null,
});

function apply(state: RegistrationState, event: RegistrationEvent): RegistrationState {
  if (event.type === 'RegistrationRequested') return requested(state, event);
  if (!state) return state;
  switch (event.type) {
    case 'SeatRequested':
      return { ...state, requests: state.requests + 1, request_id: event.data.request_id, uncounted: false };
    case 'SeatRefused':
    case 'SeatReturned':
      return { ...state, request_id: null };
    case 'RegistrationConfirmed':
      return { ...state, status: 'confirmed', queued: false, uncounted: event.data.uncounted === true };
    case 'RegistrationWaitlisted':
      return { ...state, status: 'waitlisted', request_id: null };
    case 'RegistrationRescheduled':
      return { ...state, starts_at: event.data.starts_at };
    case 'RegistrationCanceled':
      return { ...state, status: 'canceled', queued: false, cancellation: event.data.reason };
    case 'AttendeeCheckedIn':
      return { ...state, status: 'attended' };
  }
}

const recorded = recording(apply, { created: 'RegistrationRequested' });

/** Folds an event as the log recorded it. Whoever registers again has waited since then. */
export function evolve(
  state: RegistrationState,
  event: RegistrationEvent,
  context: Parameters<typeof recorded>[2],
): RegistrationState {
  const next = recorded(state, event, context);
  if (!next) return next;
  const { at, version } = context;
  switch (event.type) {
    case 'RegistrationRequested':
      return { ...next, created_at: state?.created_at ?? at, requested_at: at };
    case 'RegistrationConfirmed':
      return { ...next, confirmed_at: at, told: version };
    case 'RegistrationRescheduled':
      return { ...next, told: version };
    case 'RegistrationCanceled':
      return { ...next, canceled_at: at };
    case 'AttendeeCheckedIn':
      return { ...next, checked_in_at: at };
    default:
      return next;
  }
}
