import { type EventLog, execute } from '@lyceum/eventlog';
import type { ProcessManager } from '@lyceum/service';
import { capacityEvents } from './capacity.events.ts';
import { capacityDecider, capacityStream } from './capacity.ts';

/** What tells that the time of a hold is over. `now`: when the timer fired, RFC 3339 UTC. */
interface Ending {
  readonly do: 'end';
  readonly now: string;
}

const seat = capacityEvents.SeatHeld.data.pick({ item_type: true, item_id: true, request_id: true });
const timer = 'end';

/**
 * Tells that a seat is free when a hold ends by time alone, so that those who wait hear of it. Nobody gets or loses a seat by
 * it: whether a hold is over is judged by its time wherever seats are taken, so a timer that fires late costs nothing but the
 * wait. The seats decide whether there is still something to tell.
 */
export const holdProcess: ProcessManager<null, never, Ending, { readonly log: EventLog }> = {
  name: 'seat-holds',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate({ stream, type, data }) {
    if (type !== 'SeatHeld' || !stream.startsWith('capacity_')) return undefined;
    const { item_type, item_id, request_id } = seat.parse(data);
    return [item_type, item_id, request_id].join('/');
  },
  react(input, _state, now) {
    if (input.kind === 'timer') return { commands: [{ do: 'end', now }] };
    if (input.kind === 'rejected') return {};
    return { set: { [timer]: capacityEvents.SeatHeld.data.parse(input.event.data).expires_at } };
  },
  carryOut({ now }, { tenant, correlation, commitId, at, meta }, { log }) {
    const [item_type = '', item_id = '', request_id = ''] = correlation.split('/');
    const stream = capacityStream({ item_type, item_id });
    const command = { type: 'EndHold', item_type, item_id, request_id, now } as const;
    return execute(log, capacityDecider, { tenant, stream, command, commitId, at, meta });
  },
};
