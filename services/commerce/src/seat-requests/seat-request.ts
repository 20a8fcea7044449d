import { type Decider, type SideEvent, isRejection, uuidv5 } from '@lyceum/kernel';
import { type CapacityEvent, capacityEvents } from '../capacity/capacity.events.ts';
import {
  type CapacityCommand,
  type CapacityState,
  type SeatedItem,
  capacityDecider,
  capacityStream,
  takenSeats,
} from '../capacity/capacity.ts';
import { type SeatRequestEvent, seatRequestEvents } from './seat-request.events.ts';

/** A request for a seat, by the id that the service which asks has given to it. */
export interface SeatWish extends SeatedItem {
  readonly request_id: string;
}

/** What became of a request; null = it did not come yet. */
export type SeatRequestState = { readonly status: 'counted' | 'uncounted' | 'denied' | 'returned' } | null;

/** What is asked of a request. `seats`: those of the item, as they are now. `now`: RFC 3339 UTC. */
export type SeatRequestCommand = SeatWish & { readonly seats: CapacityState } & (
    | {
        readonly type: 'AnswerSeatRequest';
        /** How many seats there are to be; null = as many as are wanted. */
        readonly limit: number | null;
        readonly now: string;
      }
    | { readonly type: 'ReturnSeat' }
  );

type Command<T extends SeatRequestCommand['type']> = Extract<SeatRequestCommand, { type: T }>;

/** The stream of a request. */
export const seatRequestStream = ({ item_type, item_id, request_id }: SeatWish): string =>
  `seat_request_${uuidv5('seat-request', item_type, item_id, request_id)}`;

const wishOf = ({ item_type, item_id, request_id }: SeatWish): SeatWish => ({ item_type, item_id, request_id });

/** What is asked of the seats, where the request is granted. */
const taking = ({ limit, now, ...wish }: Command<'AnswerSeatRequest'>): CapacityCommand => ({
  type: 'TakeSeat',
  ...wishOf(wish),
  limit,
  now,
});

function answer(command: Command<'AnswerSeatRequest'>, state: SeatRequestState): readonly SeatRequestEvent[] {
  // It was answered, or taken back before it came.
  if (state) return [];
  const { seats, limit } = command;
  const wish = wishOf(command);
  if (limit === null) return [{ type: 'SeatRequestGranted', data: { ...wish, counted: false } }];
  if (isRejection(capacityDecider.decide(taking(command), seats)))
    return [{ type: 'SeatRequestDenied', data: { ...wish, taken: takenSeats(seats), limit } }];
  return [{ type: 'SeatRequestGranted', data: { ...wish, counted: true } }];
}

function decide(command: SeatRequestCommand, state: SeatRequestState): readonly SeatRequestEvent[] {
  if (command.type === 'AnswerSeatRequest') return answer(command, state);
  const isOver = state?.status === 'denied' || state?.status === 'returned';
  return isOver ? [] : [{ type: 'SeatRequestReturned', data: wishOf(command) }];
}

function evolve(_before: SeatRequestState, { type, data }: SeatRequestEvent): SeatRequestState {
  switch (type) {
    case 'SeatRequestGranted':
      return { status: data.counted ? 'counted' : 'uncounted' };
    case 'SeatRequestDenied':
      return { status: 'denied' };
    case 'SeatRequestReturned':
      return { status: 'returned' };
  }
}

/** What is asked of the seats in the commit of the request; undefined = nothing. */
function asked(before: SeatRequestState, after: SeatRequestState, command: SeatRequestCommand) {
  if (command.type === 'AnswerSeatRequest') return after?.status === 'counted' ? taking(command) : undefined;
  return before?.status === 'counted' ? ({ type: 'ReleaseSeat', ...wishOf(command) } as const) : undefined;
}

/** The seat is taken, or free again, in the commit of the request. */
function sideEvents(
  before: SeatRequestState,
  after: SeatRequestState,
  command: SeatRequestCommand,
): readonly SideEvent[] {
  const change = asked(before, after, command);
  const events = change ? capacityDecider.decide(change, command.seats) : [];
  if (isRejection(events)) throw new Error(`what was decided cannot be done: ${events.reason}`);
  const stream = capacityStream(command);
  return events.map((event: CapacityEvent) => ({ ...event, stream, schema: capacityEvents[event.type].version }));
}

/**
 * A request for a seat by a service that gives things away. It is answered once, from the seats that orders take, too.
 * Each request has a stream: that of the seats has nothing of who was denied, and does not grow where there is no limit.
 */
export const seatRequestDecider: Decider<SeatRequestState, SeatRequestCommand, SeatRequestEvent> = {
  events: seatRequestEvents,
  initial: null,
  decide,
  evolve,
  sideEvents,
};
