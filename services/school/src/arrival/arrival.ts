import { type Decider, reject } from '@lyceum/kernel';
import { type ArrivalEvent, arrivalEvents } from './arrival.events.ts';

/** How far an arrival is; undefined for a school that was provisioned here. */
export type ArrivalState = { readonly departure: string; readonly complete: boolean } | undefined;

/** What may be asked of an arrival. */
export type ArrivalCommand =
  { readonly type: 'BeginArrival'; readonly departure: string } | { readonly type: 'CompleteArrival' };

/** Why it cannot be. */
export type ArrivalRejection = 'invalid_state';

/** The stream of a school's arrival, in its own tenant. It stays when the school moves on. */
export const arrivalStream = 'arrival';

/** The arrival of one school: it begins once, goes on with the same departure only, and is complete for ever. */
export const arrivalDecider: Decider<ArrivalState, ArrivalCommand, ArrivalEvent, ArrivalRejection> = {
  events: arrivalEvents,
  initial: undefined,
  decide(command, state) {
    if (command.type === 'CompleteArrival')
      return !state || state.complete ? [] : [{ type: 'SchoolArrived', data: {} }];
    if (!state) return [{ type: 'SchoolArriving', data: { departure: command.departure } }];
    if (state.complete) return reject('invalid_state', 'The school is here already');
    return state.departure === command.departure
      ? []
      : reject('invalid_state', 'Another export of this school is being imported: send that one again');
  },
  evolve: (state, event) =>
    event.type === 'SchoolArriving'
      ? { departure: event.data.departure, complete: false }
      : state && { ...state, complete: true },
};
