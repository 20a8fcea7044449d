import { fold } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { calendarEvents } from '../calendar/calendar-event.resource.ts';
import { isLive, registrationDecider, registrationStream } from '../registrations/registration.ts';
import { type SeatPorts, tellRegistration } from '../registration-seats/registration.seats.ts';

const pageSize = 200;

/** The ids of the events of a school that are not over, page by page. */
async function* comingEvents({ documents, clock }: Pick<ModulePorts, 'documents' | 'clock'>, school: string) {
  const where = [
    { field: 'status', is: 'published' },
    { field: 'ends_at', above: isoTime(clock.now()) },
  ];
  let after: string | undefined;
  do {
    const behind = after === undefined ? {} : { after: { value: null, id: after } };
    const page = await documents.query(calendarEvents.collection, school, { where, limit: pageSize, ...behind });
    for (const { id } of page.items) yield id;
    after = page.more ? page.items.at(-1)?.id : undefined;
  } while (after !== undefined);
}

/**
 * A member was erased: the seats that they have at events to come are free. They are found by the events, as the id of a
 * registration follows from event and member, while lists of registrations have nothing of them any more. Idempotent.
 */
export async function registrantErased(
  school: string,
  subject: string,
  ports: SeatPorts & Pick<ModulePorts, 'documents'>,
): Promise<void> {
  for await (const event of comingEvents(ports, school)) {
    const id = registrationStream(event, subject);
    const { state, version } = await fold(ports.log, registrationDecider, school, id);
    if (!isLive(state)) continue;
    const stream = uuidv5('erased', subject, event);
    const cause = { tenant: school, stream, version, type: 'MemberErased' };
    await tellRegistration(ports, cause, id, { type: 'Cancel', reason: 'erasure' });
  }
}
