import type { Decider } from '@lyceum/kernel';
import { type SeatingEvent, seatingEvents } from './seating.events.ts';

/** A registration that waits. */
interface Waiting {
  readonly registration_id: string;
  /** RFC 3339 UTC. */
  readonly requested_at: string;
}

/** Who waits for a seat of an event. Plain JSON. */
export interface Seating {
  /** As commerce counted them last; `limit` null = as many as are wanted, or nobody has counted yet. */
  readonly taken: number;
  readonly limit: number | null;
  /** Whether nobody was told since the last count that there is no seat. */
  readonly mayHaveRoom: boolean;
  /** In the order in which they get a seat. */
  readonly waiting: readonly Waiting[];
  /** For whom a seat is asked for. */
  readonly promoting: readonly Waiting[];
}

/** One thing that can be said of the seats of an event. */
type SeatingNews =
  /** `taken`: as before when not given. */
  | { readonly type: 'CountSeats'; readonly taken?: number; readonly limit: number | null; readonly freed: boolean }
  | { readonly type: 'JoinWaitlist'; readonly waiting: Waiting; readonly denied: boolean }
  | { readonly type: 'LeaveWaitlist' | 'DenyPromotion'; readonly registration_id: string };

/** What can be said of the seats of an event: one thing, or several at once, of which the later are about what the earlier leave. */
export type SeatingCommand = SeatingNews | { readonly type: 'HearAnswer'; readonly news: readonly SeatingNews[] };

/** How many are before somebody who waits, and themselves; null = they do not wait. */
export function placeOf({ waiting, promoting }: Seating, id: string): number | null {
  const at = [...promoting, ...waiting].findIndex(({ registration_id }) => registration_id === id);
  return at < 0 ? null : at + 1;
}

/** The stream beside that of an event. */
export const seatingStream = (event: string): string => event.replace(/^event_/, 'seating_');

/** The event that a stream is beside. */
export const seatedEvent = (stream: string): string => stream.replace(/^seating_/, 'event_');

/** For so many at once seats are asked for. */
const mostPromotions = 20;

const without = (all: readonly Waiting[], id: string): readonly Waiting[] =>
  all.filter(({ registration_id }) => registration_id !== id);

const has = (all: readonly Waiting[], id: string): boolean => all.some(({ registration_id }) => registration_id === id);

/** By the time since when they wait; those of one time stay as they are. */
const inOrder = (all: readonly Waiting[]): readonly Waiting[] =>
  all.toSorted((one, other) => {
    if (one.requested_at === other.requested_at) return 0;
    return one.requested_at < other.requested_at ? -1 : 1;
  });

function evolve(state: Seating, { type, data }: SeatingEvent): Seating {
  const { waiting, promoting } = state;
  switch (type) {
    case 'SeatsCounted':
      return {
        ...state,
        taken: data.taken,
        limit: data.limit,
        mayHaveRoom: state.mayHaveRoom || data.freed === true,
      };
    case 'WaitlistJoined': {
      const { registration_id, requested_at, denied } = data;
      const joined = inOrder([...without(waiting, registration_id), { registration_id, requested_at }]);
      return { ...state, waiting: joined, mayHaveRoom: state.mayHaveRoom && denied !== true };
    }
    case 'WaitlistLeft':
      return {
        ...state,
        waiting: without(waiting, data.registration_id),
        promoting: without(promoting, data.registration_id),
      };
    case 'PromotionBegun': {
      const first = waiting.filter(({ registration_id }) => registration_id === data.registration_id);
      return {
        ...state,
        waiting: without(waiting, data.registration_id),
        promoting: [...promoting, ...first],
      };
    }
    case 'PromotionDenied': {
      const back = promoting.find(({ registration_id }) => registration_id === data.registration_id);
      const rest = without(promoting, data.registration_id);
      return { ...state, mayHaveRoom: false, waiting: inOrder(back ? [back, ...waiting] : waiting), promoting: rest };
    }
  }
}

function changed(command: SeatingNews, state: Seating): readonly SeatingEvent[] {
  switch (command.type) {
    case 'CountSeats': {
      const { taken = state.taken, limit, freed } = command;
      if (taken === state.taken && limit === state.limit && (!freed || state.mayHaveRoom)) return [];
      return [{ type: 'SeatsCounted', data: { taken, limit, ...(freed ? { freed } : {}) } }];
    }
    case 'JoinWaitlist': {
      const { waiting, denied } = command;
      const { registration_id } = waiting;
      const known = [...state.waiting, ...state.promoting].find((each) => each.registration_id === registration_id);
      if (known?.requested_at === waiting.requested_at) return [];
      // Whoever was canceled and registers again begins anew.
      const left: readonly SeatingEvent[] = known ? [{ type: 'WaitlistLeft', data: { registration_id } }] : [];
      return [...left, { type: 'WaitlistJoined', data: { ...waiting, ...(denied ? { denied } : {}) } }];
    }
    case 'LeaveWaitlist': {
      const { registration_id } = command;
      if (!has([...state.waiting, ...state.promoting], registration_id)) return [];
      return [{ type: 'WaitlistLeft', data: { registration_id } }];
    }
    case 'DenyPromotion': {
      const { registration_id } = command;
      return has(state.promoting, registration_id) ? [{ type: 'PromotionDenied', data: { registration_id } }] : [];
    }
  }
}

const hasRoom = ({ mayHaveRoom, limit, taken, promoting }: Seating): boolean =>
  mayHaveRoom && promoting.length < mostPromotions && (limit === null || taken + promoting.length < limit);

/** Those who get a seat now, as long as there seems to be one. */
function promotions(before: Seating): readonly SeatingEvent[] {
  const begun: SeatingEvent[] = [];
  for (let state = before; hasRoom(state);) {
    const [first] = state.waiting;
    if (!first) break;
    const event: SeatingEvent = { type: 'PromotionBegun', data: { registration_id: first.registration_id } };
    begun.push(event);
    state = evolve(state, event);
  }
  return begun;
}

/**
 * Who waits for a seat of an event. Seats are counted in commerce alone: here stands what it said last, and a seat is asked
 * for whenever there seems to be one. Whoever is told that there is none waits again, until commerce says that one is free.
 */
export const seatingDecider: Decider<Seating, SeatingCommand, SeatingEvent> = {
  events: seatingEvents,
  initial: { taken: 0, limit: null, mayHaveRoom: false, waiting: [], promoting: [] },
  snapshot: { version: 1 },
  decide(command, state) {
    const events: SeatingEvent[] = [];
    for (const each of command.type === 'HearAnswer' ? command.news : [command])
      events.push(...changed(each, events.reduce(evolve, state)));
    return [...events, ...promotions(events.reduce(evolve, state))];
  },
  evolve: (state, event) => evolve(state, event),
};
