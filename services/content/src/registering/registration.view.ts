import type { ShownEvent } from '../calendar/calendar-event.view.ts';
import type { Registration } from '../registrations/registration.state.ts';

const timesOf = ({
  status,
  requested_at,
  confirmed_at,
  canceled_at,
  cancellation,
  checked_in_at,
  line_id,
  created_at,
  updated_at,
  version,
}: Registration) => ({
  status,
  bought: line_id !== null,
  requested_at,
  confirmed_at,
  canceled_at,
  cancellation,
  checked_in_at,
  created_at,
  updated_at,
  version,
});

/** What is known of a person, as far as the reader may know it. `email` is absent where the reader may not. */
export interface ShownPerson {
  readonly name: string | null;
  readonly email?: string | null;
}

/** A registration as the staff see it. */
export const attendeeDocument = (id: string, registration: Registration, person: ShownPerson) => ({
  id,
  object: 'registration',
  event_id: registration.event_id,
  member_id: registration.member_id,
  ...person,
  ...timesOf(registration),
  view: 'staff',
});

/** A registration as its member sees it. */
export function ownDocument(id: string, registration: Registration, event: ShownEvent | undefined) {
  const { event_id } = registration;
  const shown = event && {
    title: event.title,
    slug: event.slug,
    starts_at: event.starts_at,
    ends_at: event.ends_at,
    timezone: event.timezone,
    status: event.status,
  };
  return { id, object: 'registration', event_id, event: shown ?? null, ...timesOf(registration), view: 'member' };
}
