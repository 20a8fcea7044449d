import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { type AskingPorts, authors } from '@lyceum/service';
import { z } from 'zod';
import { calendarEvents } from '../calendar/calendar-event.resource.ts';
import { registrationOfRow, registrations } from '../registrations/registration.rows.ts';
import { registrationStatuses } from '../registrations/registration.state.ts';
import { peopleOf } from './registration.people.ts';
import { attendeeParams, attendeeReply, eventParams } from './registration.schema.ts';
import { attendeeDocument } from './registration.view.ts';
import { type Decided, decideRegistration, foundRegistration } from './registration.write.ts';

const path = '/api/events/{event}/registrations';
const about = { area: 'events', roles: authors } as const;
const reading = { ...about, method: 'GET', scope: 'events:read', anonymous: true, status: 200 } as const;
const writing = { ...about, method: 'POST', scope: 'events:write', anonymous: false, status: 200 } as const;

type OfEvent = Pick<Call, 'school' | 'principal' | 'view'> & { readonly params: Readonly<Record<string, string>> };

/** The event of a path for a caller who may change it. Throws 404 for others: nobody else learns who comes. */
export async function eventOfStaff(call: OfEvent, ports: Pick<Ports, 'log'>): Promise<string> {
  const { id, view } = await calendarEvents.load(call, call.params['event'] ?? '', ports);
  if (view !== 'staff') throw new Problem('not_found');
  return id;
}

/** What rows of registrations are asked for. */
export const attendeeFilters = { ...listFilters, status: z.enum(registrationStatuses).optional() } as const;

type Filters = z.output<z.ZodObject<typeof attendeeFilters>>;

/** The conditions of the rows of an event. */
export const attendeesOf = (event_id: string, query: Filters) => [
  { field: 'event_id', is: event_id },
  ...given(query.status, (is) => ({ field: 'status', is })),
  ...filterConditions(query),
];

const listAttendees = (asking: AskingPorts): Operation =>
  operation({
    ...reading,
    id: 'listEventRegistrations',
    path,
    summary: 'List the registrations for an event',
    description:
      'For those who may change the event, newest first; names for all of them, e-mail addresses for owners and admins whose token holds `members:read`, too. Without a token the list is empty. Follows writes with a short delay: see Consistency-Token.',
    params: eventParams,
    readModel: registrations,
    query: z.strictObject({ ...attendeeFilters, ...fieldsOf(attendeeReply) }),
    reply: listOf(attendeeReply),
    errors: ['not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      const sort = orderOf(call.query);
      if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
      const where = attendeesOf(await eventOfStaff(call, ports), call.query);
      const page = await ports.documents.query(registrations, call.school, { where, sort, ...call.page });
      const all = page.items.map(({ body }) => registrationOfRow(body));
      const personOf = await peopleOf(asking, call, all);
      const shown = new Map(page.items.map(({ id }, at) => [id, all[at]]));
      return listReply(
        page,
        ({ id }) => {
          const registration = shown.get(id);
          return registration && attendeeDocument(id, registration, personOf(registration));
        },
        sort,
      );
    },
  });

type OfRegistration = OfEvent & Pick<Call, 'at' | 'meta' | 'commit' | 'expected'>;

/** The registration of a path, as of now. Throws 404 when it is none of the event, or the caller may not change that. */
async function attendeeOf(call: OfEvent, ports: Pick<Ports, 'log'>): Promise<Decided> {
  const event = await eventOfStaff(call, ports);
  const ofEvent = ({ event_id }: Decided['state']) => event_id === event;
  return foundRegistration(call, ports, call.params['registration'] ?? '', ofEvent);
}

async function attendeeReplyOf(asking: AskingPorts, call: OfEvent, { stream, state, ...found }: Decided) {
  const personOf = await peopleOf(asking, call, [state]);
  return { body: attendeeDocument(stream, state, personOf(state)), ...asOf(found) };
}

const getAttendee = (asking: AskingPorts): Operation =>
  operation({
    ...reading,
    id: 'getEventRegistration',
    path: `${path}/{registration}`,
    summary: 'Read a registration for an event',
    description: 'As of now, for those who may change the event.',
    params: attendeeParams,
    reply: attendeeReply,
    errors: ['not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      if (!call.principal) throw new Problem('not_found');
      return attendeeReplyOf(asking, call, await attendeeOf(call, ports));
    },
  });

/** Brings a command of the staff to a registration. */
async function change(
  asking: AskingPorts,
  call: OfRegistration,
  ports: Ports,
  command: Parameters<typeof decideRegistration>[3],
) {
  const { stream } = await attendeeOf(call, ports);
  return attendeeReplyOf(asking, call, await decideRegistration(call, ports, stream, command));
}

const checkIn = (asking: AskingPorts): Operation =>
  operation({
    ...writing,
    id: 'checkInAttendee',
    path: `${path}/{registration}/check-in`,
    summary: 'Note that somebody is there',
    description: 'Of a registration that is confirmed. Again changes nothing.',
    params: attendeeParams,
    ifMatch: 'accepted',
    reply: attendeeReply,
    errors: ['invalid_state', 'not_found', 'temporarily_unavailable'],
    handle: (call, ports) => change(asking, call, ports, { type: 'CheckIn', by: call.meta.actor }),
  });

const cancel = (asking: AskingPorts): Operation =>
  operation({
    ...writing,
    id: 'cancelEventRegistration',
    path: `${path}/{registration}/cancel`,
    summary: 'Cancel the registration of somebody',
    description:
      'The person is told, and the seat goes to whoever has waited longest. Not one that was bought: a refund of its order cancels it. Canceling again changes nothing.',
    params: attendeeParams,
    ifMatch: 'accepted',
    reply: attendeeReply,
    errors: ['invalid_state', 'not_found', 'temporarily_unavailable'],
    handle: (call, ports) => change(asking, call, ports, { type: 'Cancel', reason: 'staff' }),
  });

/** What the staff do about the registrations for an event. */
export const attendeeOperations = (asking: AskingPorts): readonly Operation[] => [
  listAttendees(asking),
  getAttendee(asking),
  checkIn(asking),
  cancel(asking),
];
