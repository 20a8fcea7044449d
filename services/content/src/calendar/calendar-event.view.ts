import type { View } from '@lyceum/web';
import { imageShown } from '../values/image-address.ts';
import { closesAt } from './calendar-event.rules.ts';
import type { EventReply } from './calendar-event.schema.ts';
import type { CalendarEvent } from './calendar-event.state.ts';

type Partly = 'own_registration' | 'join_url' | 'materials' | 'capacity' | 'seats_taken' | 'waitlist';

/** An event as some view has it: what lesser views do not see is absent, not null. */
export type ShownEvent = Omit<EventReply, Partly> & Partial<EventReply>;

type Seated = Pick<CalendarEvent, 'capacity' | 'seats_taken'>;

/** How much is left, for everybody. */
function seatsOf({ capacity, seats_taken }: Seated): EventReply['seats'] {
  if (capacity === null) return 'available';
  const left = capacity - seats_taken;
  if (left <= 0) return 'none';
  return left <= Math.max(1, Math.floor(capacity / 10)) ? 'few' : 'available';
}

/** What comes of registering while that is possible. */
function registrationOf(event: CalendarEvent): EventReply['registration'] {
  if (event.status !== 'published') return 'closed';
  if (seatsOf(event) !== 'none') return 'open';
  return event.waitlist && event.price === null ? 'waitlist' : 'sold_out';
}

/** An event as a view shows it, whatever the time is. Of those who are registered it says nothing. */
export function eventDocument(event: CalendarEvent, view: View, id: string): ShownEvent {
  const {
    slugs: _slugs,
    created_by: _by,
    sequence: _sequence,
    join_url,
    materials,
    capacity,
    seats_taken,
    waitlist,
    ...open
  } = event;
  const shownFiles = materials.map((file) => ({ ...file, url: null, url_expires_at: null }));
  return {
    ...open,
    id,
    object: 'event',
    cover: open.cover === null ? null : imageShown(open.cover),
    lecturer_ids: [...open.lecturer_ids],
    price: open.price && { ...open.price },
    seats: seatsOf(event),
    registration: registrationOf(event),
    ...(view === 'staff' ? { join_url, materials: shownFiles, capacity, seats_taken, waitlist } : {}),
    view,
  };
}

/** An event as of a time (RFC 3339 UTC): it ends by itself, and nobody registers when it is too late. */
export function eventAt<Shown extends Partial<EventReply>>(shown: Shown, at: string): Shown {
  const { status, starts_at = '', ends_at = '', registration_closes_at = null } = shown;
  if (status !== 'published') return shown;
  if (at >= ends_at) return { ...shown, status: 'ended', registration: 'closed' };
  return at >= closesAt({ starts_at, registration_closes_at }) ? { ...shown, registration: 'closed' } : shown;
}
