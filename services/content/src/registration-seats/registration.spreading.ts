import { Unavailable } from '@lyceum/eventlog';
import type { Incoming } from '@lyceum/documents';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { z } from 'zod';
import { registrationOfRow, registrations } from '../registrations/registration.rows.ts';
import { type RegistrationCommand, isLive } from '../registrations/registration.ts';
import { tellRegistration } from './registration.seats.ts';

type SpreadingPorts = Pick<ModulePorts, 'log' | 'clock' | 'documents'>;

/** Registrations that are read at a time. */
const batch = 100;

/** Milliseconds that the list of registrations may take to have all that were before the change. */
const patience = 5_000;

/** The registrations for an event that are not over, page by page, with all that were there before a change of it. */
async function* liveOf({ documents, log }: SpreadingPorts, { tenant, stream: event, position }: Incoming) {
  const lane = log.laneOf(tenant);
  if (!(await documents.waitFor(registrations, 'content', lane, position, patience)))
    throw new Unavailable('the list of registrations is behind');
  for (let after: string | undefined, more = true; more;) {
    const where = [{ field: 'event_id', is: event }];
    const behind = after === undefined ? {} : { after: { value: null, id: after } };
    const page = await documents.query(registrations, tenant, { where, limit: batch, ...behind });
    for (const { id, body } of page.items) if (isLive(registrationOfRow(body))) yield id;
    after = page.items.at(-1)?.id;
    ({ more } = page);
  }
}

const moved = z.object({ to: z.object({ starts_at: z.string() }) });
const recounted = z.object({ from: z.int().nullable(), capacity: z.int().nullable() });

/** What each registration hears of a change of its event; undefined = nothing. */
function toldOf({ type, data }: Incoming): ((id: string) => RegistrationCommand) | undefined {
  switch (type) {
    case 'EventCanceled':
      return () => ({ type: 'Cancel', reason: 'event' });
    case 'EventRescheduled': {
      const { starts_at } = moved.parse(data).to;
      return () => ({ type: 'Reschedule', starts_at });
    }
    default: {
      // Nobody counted the seats before: each who has one takes one now.
      const { from, capacity } = recounted.parse(data);
      return from === null && capacity !== null ? (id) => ({ type: 'CountSeat', id }) : undefined;
    }
  }
}

/** What those who are registered hear of a change of their event. It may be thousands: after a crash it goes on. */
export const eventChanges: Reaction = {
  name: 'changes-of-events',
  events: ['EventCanceled', 'EventRescheduled', 'EventCapacityChanged'],
  async perform(event, ports, closing) {
    const told = toldOf(event);
    if (!told) return;
    for await (const id of liveOf(ports, event)) {
      closing.throwIfAborted();
      await tellRegistration(ports, event, id, told(id));
    }
  },
};
