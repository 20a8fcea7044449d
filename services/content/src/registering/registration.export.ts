import { type AskingPorts, authors } from '@lyceum/service';
import {
  type Call,
  CsvFiles,
  type CsvPage,
  type Operation,
  type Ports,
  csvLine,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { registrationOfRow, registrations } from '../registrations/registration.rows.ts';
import { peopleOf } from './registration.people.ts';
import { eventParams } from './registration.schema.ts';
import { attendeeFilters, attendeesOf, eventOfStaff } from './registration.staff.ts';

const query = z.strictObject(attendeeFilters);

type Exporting = Call<{ params: typeof eventParams; query: typeof query }>;

const columns = [
  'registration_id',
  'member_id',
  'name',
  'email',
  'status',
  'bought',
  'requested_at',
  'confirmed_at',
  'canceled_at',
  'cancellation',
  'checked_in_at',
] as const;

/** Registrations of one page: what the reader is in hand with does not grow with the event. */
const pageSize = 100;

const files = new CsvFiles();

async function readPage(
  call: Exporting,
  ports: Pick<Ports, 'documents'> & AskingPorts,
  event: string,
  after: CsvPage['after'],
): Promise<CsvPage> {
  const sort = orderOf(call.query);
  const where = attendeesOf(event, call.query);
  const page = await ports.documents.query(registrations, call.school, {
    where,
    sort,
    limit: pageSize,
    ...(after ? { after } : {}),
  });
  const all = page.items.map(({ id, body }) => ({ id, registration: registrationOfRow(body) }));
  const personOf = await peopleOf(
    ports,
    call,
    all.map(({ registration }) => registration),
  );
  const lines = all.map(({ id, registration }) => {
    const { name, email = null } = personOf(registration);
    const { member_id, status, line_id, requested_at, confirmed_at, canceled_at } = registration;
    const { cancellation, checked_in_at } = registration;
    const bought = String(line_id !== null);
    return csvLine([
      id,
      member_id,
      name,
      email,
      status,
      bought,
      requested_at,
      confirmed_at,
      canceled_at,
      cancellation,
      checked_in_at,
    ]);
  });
  const last = page.items.at(-1);
  const behind = page.more && last ? { value: String(last.body[sort.field]), id: last.id } : undefined;
  return { text: lines.join(''), after: behind };
}

/** Gives all registrations for an event as one file. */
export const exportAttendees = (asking: AskingPorts): Operation =>
  operation({
    id: 'exportEventRegistrations',
    method: 'GET',
    path: '/api/events/{event}/registrations/export',
    area: 'events',
    summary: 'Export the registrations for an event as CSV',
    description:
      'All that the filters of the list leave (RFC 4180, UTF-8, with a header), for those who may change the event; e-mail addresses for owners and admins whose token holds `members:read`, too. Without a token there is only the header. A cell that a spreadsheet would take for a formula begins with an apostrophe. At most two at a time. A file that breaks off is not the whole: the connection is cut then.',
    scope: 'events:read',
    anonymous: true,
    roles: authors,
    params: eventParams,
    readModel: registrations,
    query,
    gives: 'text/csv; charset=utf-8',
    status: 200,
    errors: ['not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      const headers = { 'Content-Disposition': 'attachment; filename="registrations.csv"' };
      if (!call.principal) return { body: csvLine(columns), headers };
      const event = await eventOfStaff(call, ports);
      const reading = { ...asking, documents: ports.documents };
      const read = (after: CsvPage['after']) => readPage(call, reading, event, after);
      return { body: await files.of(call.school, csvLine(columns), read), headers };
    },
  });
