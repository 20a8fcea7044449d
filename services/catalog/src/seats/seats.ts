import type { Decider } from '@lyceum/kernel';
import type { z } from 'zod';
import { type SeatsEvent, seatsEvents, type shownSeats } from './seats.events.ts';

/** What everybody may know of the seats. */
export type ShownSeats = z.output<typeof shownSeats>;

/** What everybody may know of seats: few = a tenth of the limit or less, at least one. `limit` null = as many as are wanted. */
export function shownOf(limit: number | null, taken: number): ShownSeats {
  if (limit === null) return 'available';
  const left = limit - taken;
  if (left <= 0) return 'none';
  return left <= Math.max(1, Math.floor(limit / 10)) ? 'few' : 'available';
}

/** How many seats of a course are taken. */
export interface SeatsState {
  readonly taken: number;
  /** Of the commerce service's stream, as far as it was counted. */
  readonly version: number;
  /** What was told to everybody last; null = nothing yet. */
  readonly shown: ShownSeats | null;
}

/** So many seats are taken, as the commerce service says. */
export interface CountSeats {
  readonly type: 'CountSeats';
  readonly course_id: string;
  readonly taken: number;
  readonly limit: number | null;
  readonly version: number;
}

/** The stream of the seats of a course. */
export const seatsStream = (course: string): string => course.replace(/^course_/, 'seats_');

/** The course whose seats a stream is about. */
export const courseOfSeats = (stream: string): string => stream.replace(/^seats_/, 'course_');

function decide({ course_id, taken, limit, version }: CountSeats, state: SeatsState): readonly SeatsEvent[] {
  // What is older says nothing any more.
  if (version <= state.version) return [];
  const seats = shownOf(limit, taken);
  return [
    { type: 'SeatsCounted', data: { course_id, taken, version } },
    ...(seats === state.shown ? [] : [{ type: 'SeatsShown', data: { course_id, seats } } as const]),
  ];
}

function evolve(state: SeatsState, { type, data }: SeatsEvent): SeatsState {
  if (type === 'SeatsShown') return { ...state, shown: data.seats };
  return { ...state, taken: data.taken, version: data.version };
}

/** The seats of a course that are taken, as far as the commerce service has said. */
export const seatsDecider: Decider<SeatsState, CountSeats, SeatsEvent> = {
  events: seatsEvents,
  initial: { taken: 0, version: 0, shown: null },
  decide,
  evolve,
};
