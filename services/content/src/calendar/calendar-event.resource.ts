import { fold } from '@lyceum/eventlog';
import { upcast } from '@lyceum/kernel';
import type { Document, Projection } from '@lyceum/documents';
import { addressed, authors, resource, viewOfOwn } from '@lyceum/service';
import type { StatusTable } from '@lyceum/web';
import { seatingEvents } from '../seating/seating.events.ts';
import { seatedEvent, seatingDecider, seatingStream } from '../seating/seating.ts';
import { eventStatuses } from './calendar-event.fields.ts';
import { ownPart } from './calendar-event.own.ts';
import { eventItem, eventReply } from './calendar-event.schema.ts';
import type { CalendarEvent } from './calendar-event.state.ts';
import { type CalendarEventCode, calendarEventDecider, eventSlug } from './calendar-event.ts';
import { eventAt, eventDocument } from './calendar-event.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const eventRejections = {
  not_found: 404,
  slug_taken: 409,
  not_ready: 409,
  invalid_state: 409,
  started: 409,
  capacity_below_confirmed: 409,
  validation_failed: 422,
} as const satisfies StatusTable<CalendarEventCode>;

/** What was public stays to be seen, also when it is canceled. */
const open = ['published', 'canceled'];

/** The rows of a status: what has ended is what was published and is over. Canceled ones are shown when they are asked for. */
function having(status: string | undefined, at: string) {
  const published = { field: 'status', is: 'published' };
  switch (status) {
    case undefined:
      return [{ field: 'status', in: ['draft', 'published'] }];
    case 'published':
      return [published, { field: 'ends_at', above: at }];
    case 'ended':
      return [published, { field: 'ends_at', below: at }];
    default:
      return [{ field: 'status', is: status }];
  }
}

/** Events: what is or was public is everybody's; lecturers see and change all of their own, heads of the school all. */
export const calendarEvents = resource({
  noun: 'event',
  path: '/api/events',
  area: 'events',
  decider: calendarEventDecider,
  present: (state): CalendarEvent | null => state,
  slugs: eventSlug,
  statuses: eventRejections,
  access: {
    writers: authors,
    refusal: 'This event is not one of yours',
    viewer: (asking) => asking,
    viewOf: (asking, { created_by }) => viewOfOwn(asking, created_by === asking.principal?.subject),
    mayKnow: (asking, { status, created_by }) =>
      status !== 'draft' || viewOfOwn(asking, created_by === asking.principal?.subject) === 'staff',
    rows({ principal, view }) {
      const shown = [{ field: 'status', in: open }];
      if (view !== 'staff' || !principal) return [shown];
      return principal.role === 'lecturer' ? [shown, [{ field: 'created_by', is: principal.subject }]] : [[]];
    },
  },
  reply: eventReply,
  item: eventItem,
  document: eventDocument,
  addressed: addressed('cover'),
  timely: eventAt,
  forMember: ownPart,
  // How many have a seat stands in the stream beside it.
  async addition({ log }, school, id) {
    const stream = seatingStream(id);
    const { state, version } = await fold(log, seatingDecider, school, stream);
    return { members: { seats_taken: state.taken }, read: { stream, version } };
  },
  list: {
    name: 'events',
    version: 1,
    fields: { status: 'text', created_by: 'text', starts_at: 'text', ends_at: 'text', course_id: 'text' },
    statuses: eventStatuses,
    having,
    texts: ({ title, summary, venue }) => [title, summary, venue?.name ?? null],
    row: (event) => ({ ...event, description: [] }),
  },
});

/** Folds the events of each event into its row, with how many have a seat. */
export const calendarEventProjection: Projection = {
  ...calendarEvents.projection,
  key: (event) => (event.type === 'SeatsCounted' ? seatedEvent(event.stream) : calendarEvents.projection.key(event)),
  project(event, before): Document | null {
    if (event.type !== 'SeatsCounted') return calendarEvents.projection.project(event, before);
    const counted = upcast(seatingEvents, event);
    return before && counted.type === 'SeatsCounted' ? { ...before, seats_taken: counted.data.taken } : null;
  },
};
