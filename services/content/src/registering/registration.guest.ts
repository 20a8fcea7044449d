import { fold } from '@lyceum/eventlog';
import type { ModulePorts } from '@lyceum/service';
import { type Call, type Operation, type Ports, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { calendarEventDecider } from '../calendar/calendar-event.ts';
import { eventAt, eventDocument } from '../calendar/calendar-event.view.ts';
import { placeOf, seatingDecider, seatingStream } from '../seating/seating.ts';
import { GuestLinks } from '../guests/guest-links.ts';
import { guestRegistrationReply } from './registration.schema.ts';
import { type Decided, decideRegistration, foundRegistration } from './registration.write.ts';

const path = '/registrations/{code}';
const params = z.object({ code: z.string().max(120).meta({ description: 'Of the link in the mail.' }) });
const about = { area: 'events', anonymous: true, staff: [], params, errors: ['not_found'] } as const;

type OfGuest = Pick<Call, 'school' | 'at'> & { readonly params: { readonly code: string } };

/** The registration of a guest that a code is of. Throws 404 for any other code. */
function ofCode(links: GuestLinks, call: OfGuest, ports: Pick<Ports, 'log'>): Promise<Decided> {
  const id = links.idOf(call.school, call.params.code);
  if (id === undefined) throw new Problem('not_found', 'There is no such registration');
  return foundRegistration(call, ports, id, ({ guest }) => guest !== null);
}

/** What a guest sees of their registration, and of the event: where to take part only with a seat. */
async function shown({ log }: Pick<Ports, 'log'>, { school, at }: OfGuest, { stream, state }: Decided) {
  const { event_id, status } = state;
  const { state: event } = await fold(log, calendarEventDecider, school, event_id);
  if (!event) throw new Problem('not_found');
  const { state: seats } = await fold(log, seatingDecider, school, seatingStream(event_id));
  const {
    title,
    slug,
    starts_at,
    ends_at,
    timezone,
    mode,
    venue,
    status: now,
  } = eventAt(eventDocument(event, 'anonymous', event_id), at);
  const hasSeat = status === 'confirmed' || status === 'attended';
  return {
    object: 'registration',
    status,
    waitlist_position: status === 'waitlisted' ? placeOf(seats, stream) : null,
    may_cancel: (hasSeat && status !== 'attended') || status === 'waitlisted' || status === 'pending',
    event: { title, slug, starts_at, ends_at, timezone, mode, venue, status: now },
    join_url: hasSeat ? event.join_url : null,
  };
}

/** What guests do about their registrations by the link in their mail. */
export function guestOperations({ rootKeys }: Pick<ModulePorts, 'rootKeys'>): readonly Operation[] {
  const links = new GuestLinks(rootKeys);
  return [
    operation({
      ...about,
      id: 'getGuestRegistration',
      method: 'GET',
      path,
      summary: 'Read the registration of a guest',
      description: 'By the code of the link in the mail: whoever has it reads and cancels the registration.',
      status: 200,
      reply: guestRegistrationReply,
      async handle(call, ports) {
        const body = await shown(ports, call, await ofCode(links, call, ports));
        return { body, headers: { 'Cache-Control': 'no-store' } };
      },
    }),
    operation({
      ...about,
      id: 'cancelGuestRegistration',
      method: 'POST',
      path: `${path}/cancel`,
      summary: 'Cancel the registration of a guest',
      description:
        'By the code of the link in the mail. Answers with where the registration is read. Again changes nothing.',
      status: 303,
      errors: ['invalid_state', 'not_found'],
      async handle(call, ports) {
        const { stream } = await ofCode(links, call, ports);
        await decideRegistration(call, ports, stream, { type: 'Cancel', reason: 'self' });
        return { headers: { Location: `/registrations/${call.params.code}` } };
      },
    }),
  ];
}
