import { isOneOf } from '@lyceum/kernel';
import type { Grant } from '../grants/grant.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';

/** A grant that counts once the seat comes. `expires_at`: RFC 3339 UTC; null = for ever. */
export type AwaitedGrant = Pick<Grant, 'grant_id' | 'source_type' | 'source_id' | 'expires_at'>;

/** The seat of an enrollment in a course that has so many, as far as it was not bought. Plain JSON. */
export interface Seating {
  /** How often one was asked for: each time under another id. */
  readonly requests: number;
  /** The seat that was asked for; null = none, or not any more. */
  readonly request_id: string | null;
  /** Whether it came. */
  readonly obtained: boolean;
  /** The grants that wait for it. */
  readonly awaiting: readonly AwaitedGrant[];
  /** Whether there was no seat when one was asked for last. */
  readonly refused: boolean;
}

/** No seat was ever asked for. */
export const unseated: Seating = { requests: 0, request_id: null, obtained: false, awaiting: [], refused: false };

/** How an enrollment is shown. */
export const enrollmentStates = ['active', 'awaiting_seat', 'refused', 'lapsed'] as const;

/** How an enrollment is shown. */
export type ShownState = (typeof enrollmentStates)[number];

/** How an enrollment with access, or without, is shown: where there is none, by what became of its seat. */
export function shownState({ seating }: { readonly seating: Seating }, hasAccess: boolean): ShownState {
  if (hasAccess) return 'active';
  if (seating.awaiting.length > 0) return 'awaiting_seat';
  return seating.refused ? 'refused' : 'lapsed';
}

const seatTypes = ['SeatRequested', 'AccessAwaited', 'SeatObtained', 'SeatRefused', 'SeatReturned'] as const;
const grantTypes = ['AccessGranted', 'AccessExtended', 'AccessRevoked'] as const;

type EventOf<Type extends EnrollmentEvent['type']> = Extract<EnrollmentEvent, { type: Type }>;

/** Whether an event is about a seat alone. */
export const isSeatEvent = (event: EnrollmentEvent): event is EventOf<(typeof seatTypes)[number]> =>
  isOneOf(seatTypes, event.type);

const without = (awaiting: readonly AwaitedGrant[], id: string): readonly AwaitedGrant[] =>
  awaiting.filter(({ grant_id }) => grant_id !== id);

const gone = { request_id: null, obtained: false, awaiting: [] } as const;

/** The seat after an event. */
export function seatingAfter(
  seating: Seating,
  { type, data }: EventOf<(typeof seatTypes)[number] | (typeof grantTypes)[number]>,
): Seating {
  switch (type) {
    case 'SeatRequested': {
      const { request_id } = data;
      return { ...seating, requests: seating.requests + 1, request_id, obtained: false, refused: false };
    }
    case 'AccessAwaited': {
      const { grant_id, source_type, source_id, expires_at } = data;
      const awaited = { grant_id, source_type, source_id, expires_at };
      return { ...seating, awaiting: [...without(seating.awaiting, grant_id), awaited] };
    }
    case 'SeatObtained':
      return { ...seating, obtained: true };
    case 'SeatRefused':
      return { ...seating, ...gone, refused: true };
    case 'SeatReturned':
      return { ...seating, ...gone };
    case 'AccessGranted':
    case 'AccessExtended':
      return { ...seating, awaiting: without(seating.awaiting, data.grant_id), refused: false };
    case 'AccessRevoked':
      return { ...seating, awaiting: without(seating.awaiting, data.grant_id) };
  }
}
