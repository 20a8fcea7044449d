import { type Decider, type Rejection, reject, uuidv5 } from '@lyceum/kernel';
import { type CapacityEvent, capacityEvents } from './capacity.events.ts';

/** What has seats. */
export interface SeatedItem {
  readonly item_type: string;
  readonly item_id: string;
}

/** The seats of an item. Plain JSON. */
export interface CapacityState {
  /** null = as many as are wanted. */
  readonly limit: number | null;
  /** When holds end, RFC 3339 UTC, by the seat; those that are over stay until that is told. */
  readonly holds: Readonly<Record<string, string>>;
  /** The seats that are taken. */
  readonly taken: Readonly<Record<string, true>>;
}

/** What can be asked of the seats of an item. `now`: RFC 3339 UTC; holds are judged by it, never by a timer. */
export type CapacityCommand = SeatedItem &
  (
    | { readonly type: 'SetSeatLimit'; readonly limit: number | null }
    | {
        readonly type: 'HoldSeat';
        readonly request_id: string;
        /** The limit of now, where it is another one than is known. */
        readonly limit: number | null;
        readonly expires_at: string;
        readonly now: string;
      }
    | {
        readonly type: 'TakeSeat';
        readonly request_id: string;
        /** The limit of now, where it may be another one than is known. */
        readonly limit?: number | null;
        readonly now: string;
      }
    | { readonly type: 'ReleaseSeat'; readonly request_id: string }
    /** The time of a hold is over: those who wait are told, unless it was taken, given back or held longer. */
    | { readonly type: 'EndHold'; readonly request_id: string; readonly now: string }
  );

type Command<T extends CapacityCommand['type']> = Extract<CapacityCommand, { type: T }>;
type Decision = readonly CapacityEvent[] | Rejection<'sold_out'>;

/** The stream of the seats of an item: its id follows from the item, so there is one. */
export const capacityStream = ({ item_type, item_id }: SeatedItem): string =>
  `capacity_${uuidv5('capacity', item_type, item_id)}`;

/** Seats that are held at a time. */
export const liveHolds = ({ holds }: CapacityState, now: string): readonly string[] =>
  Object.keys(holds).filter((seat) => (holds[seat] ?? '') > now);

/** How many seats are taken. */
export const takenSeats = ({ taken }: CapacityState): number => Object.keys(taken).length;

/** Whether there is a seat for one more, beside those of `seat` itself. */
function hasRoom(state: CapacityState, seat: string, now: string): boolean {
  const others = liveHolds(state, now).filter((each) => each !== seat).length;
  return state.limit === null || takenSeats(state) + others < state.limit;
}

const soldOut = () => reject('sold_out', 'All seats are taken or held');

function setLimit({ item_type, item_id, limit }: Omit<Command<'SetSeatLimit'>, 'type'>, state: CapacityState) {
  if (state.limit === limit) return [];
  return [{ type: 'SeatLimitSet', data: { item_type, item_id, limit } }] satisfies readonly CapacityEvent[];
}

function hold(command: Command<'HoldSeat'>, state: CapacityState): Decision {
  const { item_type, item_id, request_id, limit, expires_at, now } = command;
  if (state.taken[request_id]) return [];
  const held: CapacityEvent = { type: 'SeatHeld', data: { item_type, item_id, request_id, expires_at } };
  const until = state.holds[request_id] ?? '';
  if (until > now) return until === expires_at ? [] : [held];
  if (!hasRoom({ ...state, limit }, request_id, now)) return soldOut();
  return [...setLimit(command, state), held];
}

function take(command: Command<'TakeSeat'>, state: CapacityState): Decision {
  const { item_type, item_id, request_id, limit = state.limit, now } = command;
  if (state.taken[request_id]) return [];
  const isHeld = (state.holds[request_id] ?? '') > now;
  if (!isHeld && !hasRoom({ ...state, limit }, request_id, now)) return soldOut();
  const taken = takenSeats(state) + 1;
  return [
    ...setLimit({ item_type, item_id, limit }, state),
    { type: 'SeatTaken', data: { item_type, item_id, request_id, taken, limit } },
  ];
}

function release({ item_type, item_id, request_id }: Command<'ReleaseSeat'>, state: CapacityState): Decision {
  const { limit } = state;
  const isTaken = state.taken[request_id] === true;
  if (!isTaken && state.holds[request_id] === undefined) return [];
  const taken = takenSeats(state) - (isTaken ? 1 : 0);
  return [{ type: 'SeatReleased', data: { item_type, item_id, request_id, taken, limit } }];
}

function endHold(command: Command<'EndHold'>, state: CapacityState): Decision {
  const until = state.holds[command.request_id];
  return until === undefined || until > command.now ? [] : release({ ...command, type: 'ReleaseSeat' }, state);
}

function decide(command: CapacityCommand, state: CapacityState): Decision {
  switch (command.type) {
    case 'SetSeatLimit':
      return setLimit(command, state);
    case 'HoldSeat':
      return hold(command, state);
    case 'TakeSeat':
      return take(command, state);
    case 'ReleaseSeat':
      return release(command, state);
    case 'EndHold':
      return endHold(command, state);
  }
}

/** Members of a record but one. */
function without<Value>(all: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> {
  const { [name]: _gone, ...rest } = all;
  return rest;
}

function evolve(state: CapacityState, { type, data }: CapacityEvent): CapacityState {
  switch (type) {
    case 'SeatLimitSet':
      return { ...state, limit: data.limit };
    case 'SeatHeld':
      return { ...state, holds: { ...state.holds, [data.request_id]: data.expires_at } };
    case 'SeatTaken':
      return {
        ...state,
        holds: without(state.holds, data.request_id),
        taken: { ...state.taken, [data.request_id]: true },
      };
    case 'SeatReleased':
      return {
        ...state,
        holds: without(state.holds, data.request_id),
        taken: without(state.taken, data.request_id),
      };
  }
}

/**
 * The seats of one item: what is taken and what is held is never more than the limit. A limit below what is taken means
 * that nothing more is sold.
 */
export const capacityDecider: Decider<CapacityState, CapacityCommand, CapacityEvent, 'sold_out'> = {
  events: capacityEvents,
  initial: { limit: null, holds: {}, taken: {} },
  snapshot: { version: 1 },
  decide,
  evolve,
};
