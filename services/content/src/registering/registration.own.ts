import { fold } from '@lyceum/eventlog';
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
  appliedWait,
  patienceOf,
  seatWaitingHeaders,
} from '@lyceum/web';
import { z } from 'zod';
import { calendarEvents } from '../calendar/calendar-event.resource.ts';
import { calendarEventDecider } from '../calendar/calendar-event.ts';
import { type ShownEvent, eventAt, eventDocument } from '../calendar/calendar-event.view.ts';
import { placeOf, seatingDecider, seatingStream } from '../seating/seating.ts';
import { type RegisteringPorts, registerFor } from './registering.ts';
import { registrationOfRow, registrations } from '../registrations/registration.rows.ts';
import { eventParams, ownParams, ownRegistrationReply, registerBody, registeredReply } from './registration.schema.ts';
import { registrationStatuses } from '../registrations/registration.state.ts';
import { ownDocument } from './registration.view.ts';
import { settledRegistration } from './registration.waiting.ts';
import { type Decided, decideRegistration, foundRegistration } from './registration.write.ts';

const path = '/api/account/registrations';
// Nobody sees more of their own registrations for being staff.
const own = { area: 'account', anonymous: false, staff: [], reply: ownRegistrationReply } as const;

/** What became of a registration. Throws the problem when there was no seat. */
async function registeredBody({ log }: Pick<Ports, 'log'>, call: Call, { stream, state }: Decided) {
  const { status, event_id, cancellation } = state;
  if (status === 'canceled' && cancellation === 'sold_out') throw new Problem('sold_out');
  const isWaiting = status === 'waitlisted';
  const { state: seats } = isWaiting
    ? await fold(log, seatingDecider, call.school, seatingStream(event_id))
    : { state: seatingDecider.initial };
  const waitlist_position = isWaiting ? (placeOf(seats, stream) ?? seats.waiting.length + 1) : null;
  return { id: stream, object: 'registration', event_id, status, waitlist_position, view: call.view };
}

const statusOf = ({ state: { status } }: Decided, isNew: boolean): number => {
  if (status === 'pending') return 202;
  return isNew ? 201 : 200;
};

/** Registers for an event that costs nothing. */
const register = (ports: RegisteringPorts): Operation =>
  operation({
    id: 'registerForEvent',
    method: 'POST',
    path: '/api/events/{event}/registrations',
    area: 'events',
    anonymous: true,
    staff: [],
    scope: 'account:write',
    summary: 'Register for an event',
    description:
      'For an event that costs nothing: a member with a token, a guest with an e-mail address, who gets a mail with a link to cancel. 201 = there is a seat, or a place on the waitlist; 202 = whether there is one is still being asked, of which the registration and a mail tell: `Prefer: wait=2` says how many seconds to wait. Whoever is registered already stays so: 200. Guests register 10 times in a minute and 60 times in a day from one address, and 5 times in an hour and 20 times in a day under one e-mail address.',
    headers: seatWaitingHeaders,
    params: eventParams,
    body: registerBody,
    status: 201,
    reply: registeredReply,
    errors: ['invalid_state', 'not_found', 'rate_limited', 'registration_closed', 'sold_out', 'started'],
    async handle(call) {
      const done = await registerFor(ports, call, call.params['event'] ?? '');
      const settled = await settledRegistration(ports, call.school, done, patienceOf(call));
      const location = call.principal ? { Location: `${path}/${settled.stream}` } : {};
      const headers = { ...location, ...appliedWait(call) };
      const body = await registeredBody(ports, call, settled);
      return { status: statusOf(settled, done.isNew), body, headers, observed: asOf(settled).observed };
    },
  });

/** The events of registrations, as members see them, as far as the list of events has them. */
async function eventsShown({ documents }: Pick<Ports, 'documents'>, call: Call, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map<string, ShownEvent>();
  const where = [{ field: 'id', in: wanted }];
  const { items } = await documents.query(calendarEvents.collection, call.school, { where, limit: wanted.length });
  return new Map(
    items.map(({ id, body }) => [id, eventAt(eventDocument(calendarEvents.thingOf(body), 'member', id), call.at)]),
  );
}

/** The token's member. Operations on an account take no anonymous calls. */
function callerOf({ principal }: Pick<Call, 'principal'>): string {
  if (!principal) throw new Problem('access_denied');
  return principal.subject;
}

const listOwn = operation({
  ...own,
  id: 'listOwnRegistrations',
  method: 'GET',
  path,
  scope: 'account:read',
  summary: 'List your registrations',
  description: 'For events, newest first. The list follows writes with a short delay: see Consistency-Token.',
  readModel: registrations,
  query: z.strictObject({
    ...listFilters,
    event_id: z.string().max(64).optional(),
    status: z.enum(registrationStatuses).optional(),
    ...fieldsOf(ownRegistrationReply),
  }),
  status: 200,
  reply: listOf(ownRegistrationReply),
  async handle(call, { documents }) {
    const { event_id, status } = call.query;
    const where = [
      { field: 'member_id', is: callerOf(call) },
      ...given(event_id, (is) => ({ field: 'event_id', is })),
      ...given(status, (is) => ({ field: 'status', is })),
      ...filterConditions(call.query),
    ];
    const sort = orderOf(call.query);
    const page = await documents.query(registrations, call.school, { where, sort, ...call.page });
    const all = page.items.map(({ body }) => registrationOfRow(body));
    const events = await eventsShown(
      { documents },
      call,
      all.map(({ event_id: id }) => id),
    );
    return listReply(
      page,
      ({ id, body }) => {
        const registration = registrationOfRow(body);
        return ownDocument(id, registration, events.get(registration.event_id));
      },
      sort,
    );
  },
});

/** The answer with a registration of the caller's, and its event as of now. */
async function ownReply({ log }: Pick<Ports, 'log'>, call: Call, { stream, state, ...found }: Decided) {
  const { state: event } = await fold(log, calendarEventDecider, call.school, state.event_id);
  const shown = event ? eventAt(eventDocument(event, 'member', state.event_id), call.at) : undefined;
  // An event may change without its registrations.
  return { body: ownDocument(stream, state, shown), observed: asOf(found).observed };
}

const getOwn = operation({
  ...own,
  id: 'getOwnRegistration',
  method: 'GET',
  path: `${path}/{registration}`,
  scope: 'account:read',
  summary: 'Read one of your registrations',
  description: 'As of now.',
  params: ownParams,
  status: 200,
  errors: ['not_found'],
  async handle(call, ports) {
    const isTheirs = ({ member_id }: Decided['state']) => member_id === callerOf(call);
    const found = await foundRegistration(call, ports, call.params['registration'] ?? '', isTheirs);
    return ownReply(ports, call, found);
  },
});

const cancelOwn = operation({
  ...own,
  id: 'cancelOwnRegistration',
  method: 'POST',
  path: `${path}/{registration}/cancel`,
  scope: 'account:write',
  summary: 'Cancel one of your registrations',
  description:
    'The seat goes to whoever has waited longest. Not one that was bought, nor after you were there. Canceling again changes nothing.',
  params: ownParams,
  status: 200,
  errors: ['invalid_state', 'not_found'],
  async handle(call, ports) {
    const isTheirs = ({ member_id }: Decided['state']) => member_id === callerOf(call);
    const { stream } = await foundRegistration(call, ports, call.params['registration'] ?? '', isTheirs);
    return ownReply(ports, call, await decideRegistration(call, ports, stream, { type: 'Cancel', reason: 'self' }));
  },
});

/** What people do about registrations of their own. */
export const ownRegistrationOperations = (ports: RegisteringPorts): readonly Operation[] => [
  register(ports),
  listOwn,
  getOwn,
  cancelOwn,
];
