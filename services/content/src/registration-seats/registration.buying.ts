import type { Incoming } from '@lyceum/documents';
import { Unavailable, fold } from '@lyceum/eventlog';
import type { Reaction } from '@lyceum/service';
import { z } from 'zod';
import { calendarEventDecider } from '../calendar/calendar-event.ts';
import type { Cancellation } from '../registrations/registration.events.ts';
import { registrationStream } from '../registrations/registration.ts';
import { type SeatPorts, tellRegistration } from './registration.seats.ts';

const bought = z.object({
  member_id: z.string().nullable(),
  lines: z.array(
    z.object({
      line_id: z.string(),
      item_type: z.string(),
      item_id: z.string(),
      /** What the place comes from; the line when not given. */
      source_id: z.string().optional(),
    }),
  ),
});

type Line = z.output<typeof bought>['lines'][number];

/** Whoever bought a place at an event has it; at one that was canceled meanwhile no more, so that the money goes back. */
async function register(ports: SeatPorts, cause: Incoming, member_id: string, line: Line): Promise<void> {
  const { item_id: event_id, line_id, source_id = line_id } = line;
  const { state: event } = await fold(ports.log, calendarEventDecider, cause.tenant, event_id);
  if (!event) throw new Unavailable('the event that was bought is not known here');
  const id = registrationStream(event_id, member_id);
  const { starts_at } = event;
  await tellRegistration(ports, cause, id, {
    type: 'RegisterBuyer',
    event_id,
    member_id,
    guest: null,
    starts_at,
    line_id: source_id,
  });
  if (event.status === 'canceled') await cancel(ports, cause, member_id, line, 'event');
}

function cancel(ports: SeatPorts, cause: Incoming, member_id: string, line: Line, reason: Cancellation) {
  const { item_id, line_id, source_id = line_id } = line;
  const id = registrationStream(item_id, member_id);
  return tellRegistration(ports, cause, id, { type: 'Cancel', reason, line_id: source_id });
}

/**
 * Gives members the places at events that they bought, under the line of their order. What is refunded or charged back takes
 * them back again; a refund that failed later gives them again, from another source.
 */
export const boughtPlaces: Reaction = {
  name: 'bought-places',
  source: 'commerce',
  events: ['OrderFulfillable', 'OrderRefunded', 'OrderRefundReversed', 'OrderDisputeResolved'],
  async perform(event, ports) {
    const { member_id, lines } = bought.parse(event.data);
    // Nobody has anything of an order whose buyer nobody knows yet, nor anything of what they were erased with.
    if (member_id === null || (await ports.vault.keyStatus(event.tenant, member_id)) === 'erased') return;
    const gives = event.type === 'OrderFulfillable' || event.type === 'OrderRefundReversed';
    for (const line of lines.filter(({ item_type }) => item_type === 'event'))
      await (gives ? register(ports, event, member_id, line) : cancel(ports, event, member_id, line, 'refund'));
  },
};
